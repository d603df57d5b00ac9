import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { JournalError, TransportError } from '../../src/domain/errors.ts';
import { Secret } from '../../src/domain/secret.ts';
import { createLogger, createStreamLogger, type LogLevel } from '../../src/ops/logger.ts';
import { logPluginText, passingOn, silentLogger } from '../../src/ports/logger.ts';
import { loggerContract } from '../contract/logger.ts';

/** Reads all output. When `stopped`, it reads only after `resume`. */
function reader(stopped = false) {
  let isStopped = stopped;
  let text = '';
  let resume: (() => void) | null = null;
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      if (isStopped) resume = done;
      else done();
    },
  });
  const lines = () =>
    text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
  return { stream, lines, resume: () => ((isStopped = false), resume?.()) };
}

function bench(level: LogLevel) {
  const { stream, lines } = reader();
  return { logger: passingOn(createLogger(level, stream)), lines, speaks: true };
}

loggerContract('pino', () => bench('debug'));
loggerContract('pino into a stream', () => {
  const { stream, lines } = reader();
  return { logger: createStreamLogger('debug', stream), lines, speaks: true };
});
loggerContract('silent', () => ({ logger: silentLogger, lines: () => [], speaks: false }));

describe('the JSON log', () => {
  it('drops lines while its reader stalls, and reports how many', () => {
    const { stream, lines, resume } = reader(true);
    const logger = passingOn(createStreamLogger('info', stream, { mostWaitingBytes: 1_000 }));
    for (let i = 0; i < 100; i++) logger.info('line', { i });
    expect(stream.writableLength).toBeLessThan(1_200);
    resume();
    logger.info('at last');
    const written = lines().filter(({ msg }) => msg === 'line').length;
    const rest = lines().slice(written);
    expect(rest).toMatchObject([{ level: 'warn', lines: 100 - written }, { msg: 'at last' }]);
    expect(written).toBeLessThan(20);
    logger.info('read');
    expect(lines().slice(written + 2)).toMatchObject([{ msg: 'read' }]);
  });

  it('counts written lines by level, those of children included, and dropped lines', () => {
    const { stream, resume } = reader(true);
    const logger = createStreamLogger('info', stream, { mostWaitingBytes: 1_000 });
    const free = passingOn(logger);
    free.debug('below the level');
    free.child({ part: 'child' }).warn('w');
    logger.setLevel('debug');
    free.debug('d');
    expect(logger.lines).toEqual({ debug: 1, info: 0, warn: 1, error: 0, fatal: 0, dropped: 0 });
    for (let i = 0; i < 100; i++) free.error('e');
    expect(logger.lines.error).toBe(100);
    expect(logger.lines.dropped).toBeGreaterThan(50);
    resume();
  });

  it('begins lines with the priority of their level for systemd’s journal', () => {
    let text = '';
    const write = (chunk: Buffer, _: string, done: () => void): void => ((text += chunk.toString()), done());
    const logger = passingOn(createStreamLogger('debug', new Writable({ write }), { isJournal: true }));
    for (const level of ['debug', 'info', 'warn', 'error', 'fatal'] as const) logger[level](level);
    const found = text.match(/^<\d>\{"level":"\w+"/gm);
    expect(found).toEqual([
      '<7>{"level":"debug"',
      '<6>{"level":"info"',
      '<4>{"level":"warn"',
      '<3>{"level":"error"',
      '<2>{"level":"fatal"',
    ]);
  });

  it('escapes what moves the cursor or changes the direction of text, and keeps the value', () => {
    let text = '';
    const log = createLogger('info', { write: (line) => void (text += line) });
    passingOn(log).info('line', { name: 'North\x1b[2J\u202egate\x9b\u2066' });
    expect(text.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(JSON.parse(text)).toMatchObject({ name: 'North\x1b[2J\u202egate\x9b\u2066' });
    expect(log.tail().join('')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  it('drops lines below its level', () => {
    const { logger, lines } = bench('warn');
    logger.info('small talk');
    logger.error('serious');
    expect(lines().map((line) => line['msg'])).toEqual(['serious']);
  });

  it('logs an error’s name, code and message, and no other field of it', () => {
    const { logger, lines } = bench('info');
    const error = Object.assign(new TransportError('unknown', 'reset'), { request: { key: 'canary' } });
    logger.warn('request failed', { error, key: new Secret('canary') });
    expect(lines()[0]?.['error']).toMatchObject({
      name: 'TransportError',
      code: 'transport',
      message: 'reset',
    });
    expect(JSON.stringify(lines())).not.toContain('canary');
  });

  it('logs the messages of an error’s causes, and nothing else of them', () => {
    const { logger, lines } = bench('info');
    const cause = Object.assign(new Error('database or disk is full'), { request: { key: 'canary' } });
    const error = new JournalError('cannot append to the journal', {}, cause);
    logger.error('the journal cannot be written', { error });
    expect(lines()[0]?.['error']).toMatchObject({
      message: 'cannot append to the journal',
      cause: 'database or disk is full',
    });
    expect(JSON.stringify(lines())).not.toContain('canary');
  });

  it('logs the stack of a bug, and none of an expected failure', () => {
    const { logger, lines } = bench('info');
    logger.error('a', { error: new TypeError('bug') });
    logger.error('b', { error: new JournalError('the disk is full', {}) });
    const [bug, expected] = lines().map(({ error }) => error as Record<string, unknown>);
    expect(bug?.['stack']).toContain('logger.test.ts');
    expect(expected).not.toHaveProperty('stack');
  });

  it('logs a thrown value that has no text', () => {
    const { logger, lines } = bench('info');
    logger.warn('strategy fault', { error: Object.create(null) as unknown });
    expect(lines()[0]?.['error']).toBe('a thrown object');
  });

  it('gives every line an ISO 8601 time', () => {
    const { logger, lines } = bench('info');
    logger.info('now');
    expect(lines()[0]?.['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });
});

describe('every line', () => {
  it('has the stable name of its kind before its fields', () => {
    const { stream, lines } = reader();
    const logger = createLogger('debug', stream);
    logger.error('heartbeat lost', { reason: 'it ran out' });
    logger.error('the strategy mine is off since an earlier run; only a person resumes', { why: 'it hung' });
    logPluginText(logger, 'strategy_line', 'heartbeat lost', { strategy: 'mine' });
    expect(lines().map(({ logEvent, msg }) => [logEvent, msg])).toEqual([
      ['heartbeat_lost', 'heartbeat lost'],
      ['strategy_off', 'the strategy mine is off since an earlier run; only a person resumes'],
      ['strategy_line', 'heartbeat lost'],
    ]);
    expect(Object.keys(lines()[0] ?? {})).toEqual(['level', 'time', 'logEvent', 'reason', 'msg']);
  });

  it('has the fields that were bound, of earlier children too', () => {
    const { stream, lines } = reader();
    const logger = createLogger('info', stream);
    const child = passingOn(logger.child({ part: 'venue' }));
    logger.bind({ version: '1.2.3' });
    child.info('before the journal');
    logger.bind({ runId: '7-0a1b2c3d' });
    child.info('after');
    expect(lines()).toMatchObject([
      { part: 'venue', version: '1.2.3', msg: 'before the journal' },
      { part: 'venue', version: '1.2.3', runId: '7-0a1b2c3d', msg: 'after' },
    ]);
    expect(lines()[0]).not.toHaveProperty('runId');
  });

  it('is written at level fatal whatever the level, unless the log is silent', () => {
    for (const [level, count] of [
      ['error', 1],
      ['silent', 0],
    ] as const) {
      const { logger, lines } = bench(level);
      logger.fatal('touchline ends with an error: no journal');
      expect(lines().map((line) => line['level'])).toEqual(Array(count).fill('fatal'));
    }
  });

  it('is written for people if asked', () => {
    let text = '';
    const write = (chunk: Buffer, _: string, done: () => void): void => ((text += chunk.toString()), done());
    const pretty = (line: string): string => `${(JSON.parse(line) as { readonly msg: string }).msg}!\n`;
    createStreamLogger('info', new Writable({ write }), { pretty }).error('heartbeat lost');
    expect(text).toBe('heartbeat lost!\n');
  });
});
