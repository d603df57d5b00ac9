/**
 * The outer text of a frame, `{"ts": …, "data": [ entry, … ]}`, and the positions of its entries, without reading them.
 * Functions return -1 for unexpected text: another order of the keys, a cut text, an escape where none belongs.
 */

import { BYTE } from './bytes.ts';

const { BACKSLASH, CLOSE, CLOSE_BRACE, COMMA, OPEN, OPEN_BRACE, QUOTE } = BYTE;

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const TS = encode('{"ts":');
const DATA = encode('"data":');
const LOWEST_CHARACTER = 0x20;
const UNEXPECTED = -1;

const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The first position from `at` on that is not JSON white space. */
export function skipBlanks(array: Uint8Array, at: number): number {
  let next = at;
  while (isBlank(array[next])) next++;
  return next;
}

/** Where the text of `ts` is, and the position after the bracket that opens `data`. */
export interface Opening {
  readonly tsFrom: number;
  readonly tsTo: number;
  readonly entries: number;
}

/** Reads the beginning of a frame; null when the text is unexpected. */
export function readOpening(array: Uint8Array): Opening | null {
  if (!startsWith(array, 0, TS)) return null;
  const tsFrom = skipBlanks(array, TS.length);
  const tsTo = array[tsFrom] === QUOTE ? endOfPlainString(array, tsFrom) : endOfNumber(array, tsFrom);
  const comma = skipBlanks(array, tsTo);
  const key = skipBlanks(array, comma + 1);
  if (tsTo === UNEXPECTED || array[comma] !== COMMA || !startsWith(array, key, DATA)) return null;
  const open = skipBlanks(array, key + DATA.length);
  return array[open] === OPEN ? { tsFrom, tsTo, entries: open + 1 } : null;
}

/** Whether only the end of the frame follows `at`, the position after the bracket that closes `data`. */
export function isClosing(array: Uint8Array, at: number): boolean {
  const brace = skipBlanks(array, at);
  return array[brace] === CLOSE_BRACE && skipBlanks(array, brace + 1) === array.length;
}

/**
 * Walks over the entries of a frame from the position after its opening bracket to its end. `endOf` gets where an entry begins and returns the
 * position after it, or -1. Returns whether the text is as expected.
 */
export function walkEntries(array: Uint8Array, from: number, endOf: (at: number) => number): boolean {
  let next = skipBlanks(array, from);
  if (array[next] === CLOSE) return isClosing(array, next + 1);
  for (;;) {
    const end = endOf(next);
    if (end < 0) return false;
    next = skipBlanks(array, end);
    if (array[next] === CLOSE) return isClosing(array, next + 1);
    if (array[next] !== COMMA) return false;
    next = skipBlanks(array, next + 1);
  }
}

/** The position after the array that opens at `at`. The contents are not checked. */
export function endOfEntry(array: Uint8Array, at: number): number {
  if (array[at] !== OPEN) return UNEXPECTED;
  let depth = 0;
  for (let next = at; next < array.length; next++) {
    const byte = array[next];
    if (byte === QUOTE) {
      next = endOfString(array, next) - 1;
      if (next < at) return UNEXPECTED;
    } else if (byte === OPEN || byte === OPEN_BRACE) depth++;
    else if (byte === CLOSE || byte === CLOSE_BRACE) {
      if (--depth === 0) return next + 1;
    }
  }
  return UNEXPECTED;
}

function endOfString(array: Uint8Array, at: number): number {
  for (let next = at + 1; next < array.length; next++) {
    if (array[next] === BACKSLASH) next++;
    else if (array[next] === QUOTE) return next + 1;
  }
  return UNEXPECTED;
}

function endOfPlainString(array: Uint8Array, at: number): number {
  for (let next = at + 1; next < array.length; next++) {
    const byte = array[next] as number;
    if (byte === QUOTE) return next + 1;
    if (byte === BACKSLASH || byte < LOWEST_CHARACTER) return UNEXPECTED;
  }
  return UNEXPECTED;
}

function endOfNumber(array: Uint8Array, at: number): number {
  let next = at;
  while (isOfNumber(array[next])) next++;
  return next === at ? UNEXPECTED : next;
}

/** Digits, point, signs, e and E. */
const isOfNumber = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || [0x2e, 0x2b, 0x2d, 0x65, 0x45].includes(byte));

function startsWith(array: Uint8Array, at: number, pattern: Uint8Array): boolean {
  for (let i = 0; i < pattern.length; i++) if (array[at + i] !== pattern[i]) return false;
  return true;
}
