import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AccessCheck, permits, SCOPES } from '../../src/ops/access.ts';

const TOKENS = { read: 'r'.repeat(43), reduce: 'd'.repeat(43), control: 'c'.repeat(43) };
const access = new AccessCheck(TOKENS);

describe('a token', () => {
  it.each(SCOPES)('grants its scope: %s', (scope) => {
    expect(access.scopeOf(`Bearer ${TOKENS[scope]}`)).toBe(scope);
    expect(access.scopeOf(`bearer  ${TOKENS[scope]} `)).toBe(scope);
  });

  it.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['no token', 'Bearer '],
    ['another scheme', `Basic ${TOKENS.control}`],
    ['the token alone', TOKENS.control],
    ['a part of it', `Bearer ${TOKENS.control.slice(1)}`],
    ['two tokens', `Bearer ${TOKENS.read} ${TOKENS.control}`],
  ])('is not %s', (_, header) => {
    expect(access.scopeOf(header)).toBeNull();
  });

  it('grants nothing to any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!Object.values(TOKENS).includes(text.trim()));
        expect(access.scopeOf(`Bearer ${text}`)).toBeNull();
      }),
    );
  });

  it('is never empty', () => {
    expect(() => new AccessCheck({ ...TOKENS, read: '' })).toThrow('the read token is empty');
  });
});

it('contains the scopes below it, and no other', () => {
  const allowed = SCOPES.map((held) => SCOPES.filter((needed) => permits(held, needed)));
  expect(allowed).toEqual([['read'], ['read', 'reduce'], ['read', 'reduce', 'control']]);
});
