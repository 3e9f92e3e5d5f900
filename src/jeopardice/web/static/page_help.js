// Help: a tour, examples to click, words and keys. The page says everything itself.
import "./base.js";
