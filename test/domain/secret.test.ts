import { expect, it } from 'vitest';
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
