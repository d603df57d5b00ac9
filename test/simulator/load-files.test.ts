import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/domain/errors.ts';
import { loadAccounts, loadFaults } from '../../src/simulator/load-files.ts';
import { temporaryFolder } from '../support/exchange.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const file = (content: unknown): string => folder.file('file.json', JSON.stringify(content));

describe('a file of faults', () => {
  it('is read with its defaults', () => {
    expect(loadFaults(file([{ target: 'orders.create', fault: 'answer_lost' }]))).toEqual([
      { at: 0, target: 'orders.create', fault: 'answer_lost', skip: 0, probability: 1 },
    ]);
  });

  it.each([
    [
      'names the field that is wrong',
      [{ target: 'rest', fault: 'delayed', delay_ms: 'x' }],
      /file\.json at 0\.delay_ms/,
    ],
    ['names the field that is missing', [{ target: 'rest' }], /file\.json: fault is missing in fault 1$/],
    ['says that it is no list', {}, /file\.json: /],
    ['says that a kind is unknown', [{ target: 'rest', fault: 'explode' }], /file\.json at 0\.fault/],
  ])('%s', (_what, content, message) => {
    expect(() => loadFaults(file(content))).toThrow(ConfigError);
    expect(() => loadFaults(file(content))).toThrow(message);
  });

  it('is reported by name when it is missing or unreadable', () => {
    expect(() => loadFaults('/nowhere/faults.json')).toThrow(
      /^\/nowhere\/faults\.json: cannot be read as JSON/,
    );
    expect(() => loadFaults(folder.file('junk.json', '{'))).toThrow(/junk\.json: cannot be read as JSON/);
    const lines = folder.file('lines.json', 'two\nlines of junk');
    expect(() => loadFaults(lines)).toThrow(/^[^\n]*lines\.json: cannot be read as JSON[^\n]*$/);
  });
});

describe('a file of accounts', () => {
  const anna = { account_id: 'anna', keys: ['k1', 'k2'], balance: 12.5 };

  it('is read with its defaults', () => {
    expect(loadAccounts(file([anna, { ...anna, account_id: 'ben', keys: ['k3'], sports: ['fb'] }]))).toEqual([
      {
        accountId: 'anna',
        keys: ['k1', 'k2'],
        readOnlyKeys: [],
        balanceMicros: 12_500_000,
        knownToFeed: true,
      },
      expect.objectContaining({ accountId: 'ben', sports: ['fb'] }),
    ]);
  });

  it.each([
    ['an account twice', [anna, { ...anna, keys: ['k3'] }], /account_id occurs twice/],
    ['a key twice', [anna, { ...anna, account_id: 'ben', read_only_keys: ['k1'] }], /key occurs twice/],
    ['no account', [], /file\.json/],
    [
      'a missing name',
      [{ ...anna, account_id: undefined }],
      /file\.json: account_id is missing in account 1$/,
    ],
    ['a missing balance', [anna, { account_id: 'b', keys: ['k'] }], /: balance is missing in account 2$/],
    ['a negative balance', [{ ...anna, balance: -1 }], /at 0\.balance/],
  ])('refuses %s', (_what, content, message) => {
    expect(() => loadAccounts(file(content))).toThrow(message);
  });
});
