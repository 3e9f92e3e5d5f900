import "./base.js";
