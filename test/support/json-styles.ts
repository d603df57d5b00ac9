import fc from 'fast-check';

/** The white space of a JSON writer. */
export interface JsonStyle {
  readonly comma: string;
  readonly colon: string;
}

export const TIGHT: JsonStyle = { comma: ',', colon: ':' };
export const BLANKS: JsonStyle = { comma: ', ', colon: ': ' };

/** JSON text with the white space of a style. */
export function stringify(value: unknown, style: JsonStyle): string {
  if (Array.isArray(value)) return `[${value.map((item) => stringify(item, style)).join(style.comma)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([k, v]) => `${JSON.stringify(k)}${style.colon}${stringify(v, style)}`,
  );
  return `{${members.join(style.comma)}}`;
}

const space = fc.constantFrom('', '', ' ', '  ', '\n', '\t', ' \r\n ');

/** The two usual styles, or any other. */
export const jsonStyle: fc.Arbitrary<JsonStyle> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(TIGHT, BLANKS) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(space, space, space, space)
      .map(([a, b, c, d]) => ({ comma: `${a},${b}`, colon: `${c}:${d}` })),
  },
);
