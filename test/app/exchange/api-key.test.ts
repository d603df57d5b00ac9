import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/app/config/load.ts';
import { readApiKey } from '../../../src/app/exchange/open-exchange.ts';
import { ConfigError } from '../../../src/domain/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'api-key-'));
const file = join(folder, 'api_key');
afterAll(() => rmSync(folder, { recursive: true }));

const { exchange } = loadConfig({ files: [], environment: {}, settings: {} }).values;

/** Each source of a key. */
const WAYS: readonly (readonly [way: string, read: (text: string) => ReturnType<typeof readApiKey>])[] = [
  ['the environment', (text) => readApiKey({ ...exchange, apiKey: text }, {})],
  [
    'a file',
    (text) => {
      writeFileSync(file, text);
      return readApiKey({ ...exchange, apiKeyFile: file }, {});
    },
  ],
  [
    'a credential',
    (text) => {
      writeFileSync(file, text);
      return readApiKey(exchange, { CREDENTIALS_DIRECTORY: folder });
    },
  ],
];

describe.each(WAYS)('a key from %s', (_way, read) => {
  it.each(['canary-1234', 'canary-1234\n', ' canary-1234\r\n'])(
    'is read without surrounding blanks: %j',
    (text) => {
      expect(read(text).reveal()).toBe('canary-1234');
    },
  );

  it.each(['\n', 'canary 1234', 'canary-1234\ncanary-5678', 'canary-ключ', 'canary\u0000'])(
    'is refused, and not shown, when no request could carry it: %j',
    (text) => {
      expect(() => read(text)).toThrow(ConfigError);
      expect(() => read(text)).toThrow(/must hold the key alone/);
      expect(() => read(text)).not.toThrow(/canary/);
    },
  );
});

it('names the possible sources of a key when none is given, or the file cannot be read', () => {
  expect(() => readApiKey(exchange, {})).toThrow(/TOUCHLINE_API_KEY, or exchange\.apiKeyFile/);
  const missing = join(folder, 'none');
  expect(() => readApiKey({ ...exchange, apiKeyFile: missing }, {})).toThrow(
    `exchange.apiKeyFile = "${missing}": there is no such file: write nothing but the key into it`,
  );
});
