// The play: a round against a host, honest or cheating.

import { at } from "./page.js";
