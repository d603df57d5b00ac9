/** Bounds on text that a stranger may have written: a small file must not fill the memory. Real files stay far below. */

/** Characters of one line. A market's longest line has a few million. */
export const MOST_LINE_CHARS = 16 * 1_024 * 1_024;
/** Levels of brackets. Files of the formats that are read have about ten, and what a strategy keeps may have more. */
export const MOST_DEPTH = 1_000;

/** Text that passes a bound. */
export class BoundPassed extends Error {}

const [QUOTE, BACKSLASH] = [34, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/**
 * The value of a JSON text. Throws BoundPassed if it is nested too deeply: the parser would take a hundred bytes for each bracket. Throws the parser's
 * SyntaxError if it is not JSON.
 */
export function foreignJson(text: string, revive?: (key: string, value: unknown) => unknown): unknown {
  if (isDeep(text))
    throw new BoundPassed(`brackets are nested more than ${MOST_DEPTH.toLocaleString('en')} deep`);
  return JSON.parse(text, revive);
}

function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > MOST_DEPTH) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
  }
  return false;
}

/** The place of the quote that ends the string which begins at a quote. */
function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** The lines of a text in UTF-8, in portions as they arrive. Throws BoundPassed, which names the line, if one is too long. */
export async function* foreignLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  let count = 0;
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    const long = [...lines, rest].findIndex(({ length }) => length > MOST_LINE_CHARS);
    if (long !== -1) throw tooLong(count + long + 1);
    count += lines.length;
    yield lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield [rest];
}

/** Market files shrink to a tenth or a thirtieth. A file may unpack to so many times its size, and to so much in any case. */
const [MOST_TIMES, ALWAYS_BYTES] = [250, 256 * 1_024 * 1_024];

/**
 * What one file may unpack to, all its parts and packings together: a few kilobytes can hold gigabytes, and many small parts can hold as much.
 * `alwaysBytes`: so much is never too much.
 */
export class UnpackedBound {
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(packedBytes: number, alwaysBytes = ALWAYS_BYTES) {
    this.#mostBytes = Math.max(alwaysBytes, MOST_TIMES * packedBytes);
  }

  /** Counts bytes that were unpacked. Throws BoundPassed if they are too many. */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#mostBytes)
      throw new BoundPassed(
        `the file unpacks to more than ${Math.floor(this.#mostBytes / 1_024 / 1_024)} MiB`,
      );
  }
}

/** Bytes as they are unpacked. Throws BoundPassed if they, and what else the bound has counted, are too many. */
export async function* unpackedWithin(
  bytes: AsyncIterable<Uint8Array>,
  bound: UnpackedBound,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    bound.count(chunk.length);
    yield chunk;
  }
}

const tooLong = (line: number): BoundPassed =>
  new BoundPassed(`line ${line}: has more than ${MOST_LINE_CHARS.toLocaleString('en')} characters`);
