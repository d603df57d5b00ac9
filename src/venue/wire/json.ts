/** Strings, which stay as they are, and the words that are no JSON but are written for numbers all the same. */
const NOT_A_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g;

/**
 * What a text of the exchange says; undefined when it is no JSON. Some writers put down NaN and infinities, which JSON
 * does not have: they are null, so that one of them costs its own field and not all that came with it.
 */
export function parseJson(text: string): unknown {
  const value = parsed(text);
  return value === undefined && /NaN|Infinity/.test(text) ? parsed(withoutThem(text)) : value;
}

const withoutThem = (text: string): string =>
  text.replace(NOT_A_NUMBER, (token) => (token.startsWith('"') ? token : 'null'));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
