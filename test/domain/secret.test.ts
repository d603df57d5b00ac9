import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { inForce, KeyInForce, Secret } from '../../src/domain/secret.ts';

it('keeps every key that was in force out of a text, however often the key is replaced', () => {
  const keys = ['the-first-key', 'the-second-key', 'the-third-key'];
  const current = new KeyInForce(new Secret(keys[0] ?? ''));
  for (const key of keys.slice(1)) current.replace(new Secret(key));
  expect(current.key.reveal()).toBe('the-third-key');
  const cleaned = current.redact(keys.join(' and '));
  for (const key of keys) expect(cleaned).not.toContain(key);
  expect(cleaned).toContain(' and ');
});

describe('the bytes of a message', () => {
  const keys = new KeyInForce(new Secret('first key/ö'));
  keys.replace(new Secret('the-second-key'));
  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

  it('stay the same object where they hold no key', () => {
    const bytes = bytesOf('["offer",{"event_id":"2026-03-01,1,2","title":"Málaga"}]');
    expect(keys.redactBytes(bytes)).toBe(bytes);
  });

  it.each(['first key/ö', 'first%20key%2F%C3%B6', 'the-second-key'])(
    'lose %s wherever they hold it',
    (form) => {
      const held = bytesOf(`€ ${form}, twice: ${form}.`);
      // A message may lie within a larger buffer.
      const within = Buffer.concat([bytesOf('before'), held, bytesOf(form)]).subarray(6, 6 + held.length);
      const clean = new TextDecoder().decode(keys.redactBytes(within));
      expect(clean).toBe('€ [secret], twice: [secret].');
    },
  );

  it('are not searched for a key that could be part of any word', () => {
    const bytes = bytesOf('a short text');
    expect(new KeyInForce(new Secret('short')).redactBytes(bytes)).toBe(bytes);
  });
});

describe('a secret', () => {
  const secret = new Secret('the-only-key');

  it('shows itself in no text, and only its reader gets it', () => {
    const primitive = secret[Symbol.toPrimitive]();
    const texts = [String(secret), primitive, secret.toString(), secret.toJSON(), inspect(secret)];
    expect(texts).toEqual(Array(5).fill('[secret]'));
    expect(JSON.stringify({ secret })).toBe('{"secret":"[secret]"}');
    expect(secret.reveal()).toBe('the-only-key');
    expect(Object.isFrozen(secret)).toBe(true);
  });

  it('is removed from a text from eight characters on, also as an address holds it', () => {
    const long = new KeyInForce(new Secret('12345/78'));
    expect(long.redact('12345/78 12345%2F78 12345/7')).toBe('[secret] [secret] 12345/7');
    expect(new KeyInForce(new Secret('1234567')).redact('1234567')).toBe('1234567');
  });

  it('becomes the key in force once, which stays the same object', () => {
    const key = inForce(secret);
    expect(key.key).toBe(secret);
    expect(inForce(key)).toBe(key);
  });
});
