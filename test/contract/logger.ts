import { describe, expect, it } from 'vitest';
import { type FreeLogger, type Logger, passingOn } from '../../src/ports/logger.ts';

export interface LoggerBench {
  readonly logger: Logger | FreeLogger;
  /** Lines written so far, as parsed JSON; empty for a logger without output. */
  lines(): readonly Readonly<Record<string, unknown>>[];
  readonly speaks: boolean;
}

const free = ({ logger }: LoggerBench): FreeLogger => passingOn(logger as Logger);

/** The contract of the Logger port. */
export function loggerContract(name: string, create: () => LoggerBench): void {
  describe(`Logger contract: ${name}`, () => {
    it('takes every level, with and without fields, and says each once', () => {
      const bench = create();
      for (const level of ['debug', 'info', 'warn', 'error', 'fatal'] as const) {
        free(bench)[level](`plain ${level}`);
        free(bench)[level](`with fields ${level}`, { orderId: 7 });
      }
      const said = bench.lines().map((line) => [line['level'], line['msg'], line['orderId']]);
      const expected = (['debug', 'info', 'warn', 'error', 'fatal'] as const).flatMap((level) => [
        [level, `plain ${level}`, undefined],
        [level, `with fields ${level}`, 7],
      ]);
      expect(said).toEqual(bench.speaks ? expected : []);
    });

    it('adds the bindings of a child to its lines alone, and those of its own child', () => {
      const bench = create();
      free(bench).child({ part: 'orders' }).child({ run: 3 }).info('inner');
      free(bench).info('outer');
      const said = bench.lines().map((line) => [line['msg'], line['part'], line['run']]);
      expect(said).toEqual(
        bench.speaks
          ? [
              ['inner', 'orders', 3],
              ['outer', undefined, undefined],
            ]
          : [],
      );
    });

    it('survives fields that JSON cannot hold', () => {
      const bench = create();
      const circular: Record<string, unknown> = { name: 'x' };
      circular['self'] = circular;
      expect(() => free(bench).warn('odd', { circular, big: 1n, nothing: undefined })).not.toThrow();
    });
  });
}
