import { expect, it } from 'vitest';
import { PRODUCT_MODULES, read } from '../tidy/project.ts';

/** The modules whose text matches. */
const modulesWith = (pattern: RegExp): string[] => PRODUCT_MODULES.filter((file) => pattern.test(read(file)));

const ofPaper = (files: readonly string[]): string[] => files.filter((file) => file.startsWith('src/paper/'));

it('opens the network to an exchange in one file alone', () => {
  expect(modulesWith(/\b(undiciTransport|wsTransport)\(/)).toEqual([
    'src/app/adapters/source-inputs.ts',
    'src/app/exchange/wires.ts',
    'src/app/notify/open-channels.ts',
    'src/venue/transport/undici.ts',
    'src/venue/transport/ws.ts',
  ]);
});

it('gives wires that can act only to files that look at the mode first, or are not run on paper', () => {
  expect(modulesWith(/\bactingWires\(/)).toEqual([
    'src/app/exchange/connect.ts',
    'src/app/exchange/wires.ts',
    'src/app/run/exchange-access.ts',
  ]);
  expect(modulesWith(/\bconnect\(\{\s*(\.\.\.\{ )?baseUrl/)).toEqual([
    'src/app/exchange/connect.ts',
    'src/app/operate/kill-without-daemon.ts',
    'src/app/watchdog/watchdog-thread.ts',
  ]);
});

it('sends on the real wires from one file of paper alone, by one method', () => {
  expect(ofPaper(modulesWith(/wires\b.*\.(send|open)\(/))).toEqual(['src/paper/real-exchange.ts']);
  const text = read('src/paper/real-exchange.ts');
  expect(text.match(/wires\.http\.send\(/g)).toHaveLength(1);
  const methods = text.matchAll(/(?<!readonly )method: '(\w+)', path: ([^,]+), body(: null)?/g);
  expect(Array.from(methods, ([, ...parts]) => parts)).toEqual([
    ['GET', 'request.path', ': null'],
    ['POST', "'/v2/betslips/'", undefined],
    ['POST', expect.stringContaining('pathOf(id)}refresh/'), ': null'],
    ['DELETE', 'pathOf(id)', ': null'],
  ]);
  expect(text.match(/JSON\.stringify\([\w.]+\)/g)).toEqual([
    'JSON.stringify(wish.fields)',
    'JSON.stringify(command)',
  ]);
});

it('keeps betslips on the real exchange in the daemon alone, if the configuration says so', () => {
  expect(modulesWith(/\bkeepsBetslips\b/)).toEqual([
    'src/app/exchange/wires.ts',
    'src/app/run/exchange-access.ts',
    'src/paper/real-exchange.ts',
  ]);
});

it('makes a request to the real exchange in the table alone', () => {
  expect(modulesWith(/new (ReadRequest|BetslipWish)\(/)).toEqual(['src/paper/requests.ts']);
});
