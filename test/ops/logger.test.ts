import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { JournalError, TransportError } from '../../src/domain/errors.ts';
import { Secret } from '../../src/domain/secret.ts';
import { createLogger, createStreamLogger, type LogLevel } from '../../src/ops/logger.ts';
import { silentLogger } from '../../src/ports/logger.ts';
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
  return { logger: createLogger(level, stream), lines, speaks: true };
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
    const logger = createStreamLogger('info', stream, { mostWaitingBytes: 1_000 });
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

  it('begins lines with the priority of their level for systemd’s journal', () => {
    let text = '';
    const write = (chunk: Buffer, _: string, done: () => void): void => ((text += chunk.toString()), done());
    const logger = createStreamLogger('debug', new Writable({ write }), { isJournal: true });
    for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level](level);
    const found = text.match(/^<\d>\{"level":"\w+"/gm);
    expect(found).toEqual([
      '<7>{"level":"debug"',
      '<6>{"level":"info"',
      '<4>{"level":"warn"',
      '<3>{"level":"error"',
    ]);
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
