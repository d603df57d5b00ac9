import { describe, expect, it } from 'vitest';
import { plainJson, plainText } from '../../src/lib/plain-text.ts';

/** Every character that moves the cursor or changes the direction of text. */
const CONTROLS = [
  ...Array.from({ length: 32 }, (_, code) => code),
  ...Array.from({ length: 33 }, (_, at) => 0x7f + at),
  0x061c,
  0x200e,
  0x200f,
  0x202a,
  0x202b,
  0x202c,
  0x202d,
  0x202e,
  0x2066,
  0x2067,
  0x2068,
  0x2069,
].map((code) => String.fromCharCode(code));

const BAD = /[\p{Cc}\p{Bidi_Control}]/u;

describe('text of a stranger', () => {
  it('keeps its words, and no control character', () => {
    const text = plainText(`a${CONTROLS.join('b')}c Ünï 日本 עברית`);
    expect(text).not.toMatch(BAD);
    expect(text).toMatch(/^a.*c Ünï 日本 עברית$/);
  });

  it('keeps its value as JSON, with every control character escaped', () => {
    const value = { [`k${CONTROLS.join('')}`]: `v${CONTROLS.join('x')} Ünï 日本 עברית` };
    const json = plainJson(JSON.stringify(value));
    expect(json).not.toMatch(BAD);
    expect(JSON.parse(json)).toEqual(value);
    expect(json).toContain('\\u202e');
    expect(json).toContain('Ünï 日本 עברית');
  });
});
