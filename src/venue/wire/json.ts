/** Matches strings, which stay as they are, and NaN and infinities, which are not JSON. */
const STRING_OR_NON_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g;

/**
 * Parses a text of the exchange; undefined when it is not JSON. Some writers emit NaN and infinities, which JSON does not
 * have. They are read as null, so that only their own field is lost and not the whole message.
 */
export function parseJson(text: string): unknown {
  const value = parsed(text);
  return value === undefined && /NaN|Infinity/.test(text) ? parsed(withoutNonNumbers(text)) : value;
}

const withoutNonNumbers = (text: string): string =>
  text.replace(STRING_OR_NON_NUMBER, (token) => (token.startsWith('"') ? token : 'null'));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
