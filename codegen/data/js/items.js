// Items: operations, parameters, fields, enumerations and their values.
import { ITEMS } from "./items.data.js";
import { judge } from "./verdict.js";

export { ITEMS };

/** Whether a server has an item: `yes`, `stub`, `no` or `unknown`. What is not listed is unknown. */
export function supports(version, item, software) {
  return judge(version, software)(Object.hasOwn(ITEMS, item) ? ITEMS[item] : undefined);
}
