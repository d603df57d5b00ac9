import { describe, expect, it } from 'vitest';
import { KeyInForce, Secret } from '../../src/domain/secret.ts';

it('keeps every key that was in force out of a text, however often the key is replaced', () => {
  const keys = ['the-first-key', 'the-second-key', 'the-third-key'];
  const inForce = new KeyInForce(new Secret(keys[0] ?? ''));
  for (const key of keys.slice(1)) inForce.replace(new Secret(key));
  expect(inForce.key.reveal()).toBe('the-third-key');
  const cleaned = inForce.redact(keys.join(' and '));
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
