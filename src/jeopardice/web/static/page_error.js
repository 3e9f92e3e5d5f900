// The page that says what went wrong: nothing but the frame.
import "./base.js";
