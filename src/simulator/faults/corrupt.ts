/** Marks JSON text that `JSON.stringify` would not write (`1e999`); see `stringifyRaw`. */
const RAW = '\u0001raw:';

/** Values in place of a number. All are valid JSON. */
const NOT_NUMBERS: readonly unknown[] = ['NaN', null, `${RAW}1e999`, -1, 0, '1.5x', {}, [], true];

const isPrice = (key: string): boolean => key === 'price' || key.endsWith('_price');

/** Turns every number into a string. */
export function numbersAsStrings(value: unknown): unknown {
  return mapNumbers(value, (number) => String(number));
}

/** Replaces every price by a value that is not a usable number; `turn` chooses the value. */
export function pricesNotNumbers(value: unknown, turn: number): unknown {
  const wrong = NOT_NUMBERS[turn % NOT_NUMBERS.length];
  return mapNumbers(value, (number, key) => (isPrice(key) ? wrong : number));
}

function mapNumbers(value: unknown, change: (number: number, key: string) => unknown, key = ''): unknown {
  if (typeof value === 'number') return change(value, key);
  if (Array.isArray(value)) return value.map((item) => mapNumbers(item, change, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapNumbers(item, change, name)]),
  );
}

/** Like `JSON.stringify`, but writes raw values as they are. */
export function stringifyRaw(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"\\u0001raw:([^"]*)"/g, '$1');
}
