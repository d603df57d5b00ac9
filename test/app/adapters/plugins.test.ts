import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { strategyFileAt } from '../../../src/app/adapters/plugins.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'touchline-plugins-'));
  mkdirSync(path.join(folder, 'mine'));
  writeFileSync(path.join(folder, 'mine', 'strategy.ts'), '');
  writeFileSync(path.join(folder, 'other.mjs'), '');
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each([
  ['mine', 'mine/strategy.ts'],
  ['mine/', 'mine/strategy.ts'],
  ['mine/strategy', 'mine/strategy.ts'],
  ['mine/strategy.ts', 'mine/strategy.ts'],
  ['other', 'other.mjs'],
  ['nothing', 'nothing'],
])('%s means the file %s', (given, file) => {
  expect(strategyFileAt(path.join(folder, given) + (given.endsWith('/') ? '/' : ''))).toBe(
    path.join(folder, file) + (file === given && given.endsWith('/') ? '/' : ''),
  );
});

it('a name alone is no path', () => {
  expect(strategyFileAt('symmetric')).toBe('symmetric');
});
