import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/app/adapters/system-clock.ts';
import { type EmbeddedExchange, openEmbeddedExchange } from '../../../src/app/simulated/embedded-exchange.ts';
import type { ExchangeChoice } from '../../../src/app/simulated/exchange-messages.ts';
import { accountsOf } from '../../../src/app/simulated/simulation.ts';
import { createLogger } from '../../../src/ops/logger.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const CHOICE: ExchangeChoice = {
  feed: { kind: 'model' },
  feedFromMs: null,
  speed: 1,
  seed: 1,
  port: 0,
  accounts: accountsOf(['key'], 1_000),
};

type Line = Readonly<Record<string, unknown>>;

/** Opens an exchange and keeps its log lines. `program` runs in its thread instead of the exchange. */
async function open(
  program?: URL,
  choice: Partial<ExchangeChoice> = {},
): Promise<{ readonly exchange: EmbeddedExchange; readonly lines: readonly Line[] }> {
  const lines: Line[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Line);
  const logger = createLogger('info', { write }).child({ part: 'exchange' });
  const options = { choice: { ...CHOICE, ...choice }, clock: systemClock, logger };
  const exchange = await openEmbeddedExchange(program === undefined ? options : { ...options, program });
  return { exchange, lines };
}

const sourceOf = (file: string): string =>
  JSON.stringify(new URL(`../../../src/${file}`, import.meta.url).href);

/** A thread that reports ready after `work` with a log like the exchange’s. */
function threadThat(name: string, work: string): URL {
  const code = `
import { parentPort } from 'node:worker_threads';
import { createStreamLogger } from ${sourceOf('ops/logger.ts')};
import { outgoingLog } from ${sourceOf('app/simulated/exchange-messages.ts')};
const log = outgoingLog((lines) => parentPort.postMessage({ kind: 'log', lines }));
parentPort.on('message', () => log.taken());
const logger = createStreamLogger('debug', log.stream);
${work}
parentPort.postMessage({ kind: 'ready', rest: 'http://127.0.0.1:9/v2/', stream: 'ws://127.0.0.1:9/v2/stream' });
`;
  return pathToFileURL(folder.file(`${name}.mjs`, code));
}

describe('the exchange in its own thread', () => {
  it('answers until it is closed, and has not ended on its own before', async () => {
    const { exchange } = await open();
    const ask = (): Promise<Response> =>
      fetch(`${exchange.rest}balance/`, { headers: { 'X-Api-Key': 'key' } });
    expect(await (await ask()).json()).toMatchObject({ data: { balance: ['USDT', 1_000] } });
    await exchange.close();
    await exchange.close();
    await expect(ask()).rejects.toThrow('fetch failed');
    const late = new Promise((resolve) => void setImmediate(() => resolve('not by itself')));
    expect(await Promise.race([exchange.ended, late])).toBe('not by itself');
  });

  it('refuses an unusable recording as a ConfigError in the same words', async () => {
    const file = folder.file('empty.jsonl', '');
    const refused = open(undefined, { feed: { kind: 'betfair', file } });
    await expect(refused).rejects.toMatchObject({
      name: 'ConfigError',
      code: 'config',
      message: expect.stringContaining(file) as string,
    });
  });

  it('reports what ended it when its program fails', async () => {
    const { exchange } = await open(
      threadThat('fails', `setTimeout(() => { throw new Error('a bug'); }, 20);`),
    );
    expect(await exchange.ended).toMatchObject({
      code: 'exchange_ended',
      message: 'the embedded exchange ended: a bug',
      cause: { message: 'a bug' },
    });
  });

  it('reports what ended it when its program exits', async () => {
    const { exchange } = await open(threadThat('leaves', `setTimeout(() => process.exit(3), 20);`));
    expect((await exchange.ended).message).toBe(
      'the embedded exchange ended: its thread ended with exit code 3',
    );
  });

  it('rejects with an unexpected start error exactly as it was thrown', async () => {
    await expect(open(threadThat('broken', `throw new RangeError('out of range');`))).rejects.toMatchObject({
      name: 'RangeError',
      message: 'out of range',
      stack: expect.stringContaining('broken.mjs') as string,
    });
  });
});

describe('the log of the exchange', () => {
  it('reaches the log of the run at its level, with its fields and errors', async () => {
    const work = `
logger.debug('unimportant');
logger.warn('a warning', { token: 'sim-1' });
logger.error('failed', { error: Object.assign(new TypeError('no'), { code: 'E1', cause: new Error('why') }) });`;
    const { exchange, lines } = await open(threadThat('logs', work));
    await expect.poll(() => lines.length).toBe(2);
    expect(lines).toMatchObject([
      { level: 'warn', msg: 'a warning', part: 'exchange', token: 'sim-1' },
      {
        level: 'error',
        msg: 'failed',
        part: 'exchange',
        error: { name: 'TypeError', code: 'E1', message: 'no', cause: 'why' },
      },
    ]);
    expect((lines[1] as { error: { stack: string } }).error.stack).toContain('logs.mjs');
    await exchange.close();
  });

  it('drops and counts lines of a flood beyond 8 MB, and holds no more in memory', async () => {
    const work = `
const text = 'x'.repeat(1_000);
for (let i = 0; i < 30_000; i++) logger.warn(text);
if (log.stream.writableLength > 9 * 1024 * 1024) throw new Error('too much is held');
setTimeout(() => logger.warn('after the flood'), 50);`;
    const { exchange, lines } = await open(threadThat('floods', work));
    await expect.poll(() => lines.at(-1)?.['msg']).toBe('after the flood');
    const dropped = lines.find(({ msg }) => msg === 'log lines were dropped: the reader is too slow');
    expect(dropped?.['lines']).toBeGreaterThan(15_000);
    expect(lines.length - 2 + (dropped?.['lines'] as number)).toBe(30_000);
    await exchange.close();
  });
});
