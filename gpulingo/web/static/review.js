// The review: a played round, what its choices lost and what its marks gave.

import { at } from "./page.js";
