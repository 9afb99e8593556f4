// What servers of the Mastodon client API support, by their version strings.
export { identify } from "./identify.js";
export { FEATURES, has } from "./features.js";
export { ITEMS, supports } from "./items.js";
export { PROGRAMS } from "./programs.js";
