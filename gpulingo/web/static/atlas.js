// The atlas: results that are kept, trees to walk, bounds.

import { at } from "./page.js";
