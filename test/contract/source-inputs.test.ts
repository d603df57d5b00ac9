import { join } from 'node:path';
import type { Observable } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inputsInMemory, inputsOfTheMachine, type InputsSubject } from './source-inputs-subject.ts';
import { patient } from '../support/patience.ts';

/** The contract of the inputs that price sources get. */
/** A line that asks whether a file is being read. */
const READY = 'ready?';

function sourceInputsContract(name: string, create: () => Promise<InputsSubject>): void {
  describe(`Source inputs contract: ${name}`, () => {
    let subject: InputsSubject;
    const closers: (() => void)[] = [];

    beforeEach(async () => void (subject = await create()));
    afterEach(async () => {
      for (const close of closers.splice(0)) close();
      await subject.stop();
    });

    /** What an observable has emitted, and how it ended. */
    function watched<T>(values$: Observable<T>) {
      const seen: { values: T[]; end: unknown } = { values: [], end: null };
      const subscription = values$.subscribe({
        next: (value) => seen.values.push(value),
        error: (error: unknown) => (seen.end = error),
        complete: () => (seen.end = 'complete'),
      });
      closers.push(() => subscription.unsubscribe());
      return { seen, leave: () => subscription.unsubscribe() };
    }

    async function ended<T>(values$: Observable<T>) {
      const { seen } = watched(values$);
      await subject.until(() => seen.end !== null);
      return seen;
    }

    const get = (path: string, query = {}) => ended(subject.inputs.http(subject.http + path, query));

    it('reads an answer as JSON, and completes', async () => {
      subject.serve('/odds?x=1', { body: '{"a":[1,"é"]}' });
      expect(await get('/odds?x=1', { headers: { 'x-me': 'yes' } })).toEqual({
        values: [{ a: [1, 'é'] }],
        end: 'complete',
      });
      expect(subject.requests[0]).toMatchObject({ 'x-me': 'yes' });
    });

    it('gives the last answer again when nothing changed', async () => {
      subject.serve('/odds', { body: '[1]', etag: '"one"' });
      await get('/odds');
      subject.serve('/odds', { body: '', status: 304 });
      expect(await get('/odds')).toEqual({ values: [[1]], end: 'complete' });
      subject.serve('/odds', { body: '[2]', etag: '"two"' });
      expect((await get('/odds')).values).toEqual([[2]]);
    });

    it.each([
      ['another status', { status: 503, body: '[]' }, /odds answered 503/],
      ['what is no JSON', { body: '<html>' }, /JSON/],
      ['an answer that never comes', { body: '', stalls: true }, /./],
      ['a broken connection', null, /./],
    ])('fails on %s', async (_, page, message) => {
      subject.serve('/odds', page);
      const { values, end } = await get('/odds', { timeoutMs: patient(300) });
      expect([values, end]).toEqual([[], expect.any(Error)]);
      expect((end as Error).message).toMatch(message);
    });

    it('opens a connection, greets, and reads messages as JSON or text', async () => {
      const { seen } = watched(
        subject.inputs.socket(`${subject.ws}/feed`, { hello: [{ subscribe: 'odds' }, 'hi'] }),
      );
      await subject.until(() => subject.sockets[0]?.received.length === 2);
      expect(subject.sockets[0]?.received).toEqual(['{"subscribe":"odds"}', 'hi']);
      for (const text of ['{"a":1}', 'pong']) subject.sockets[0]?.send(text);
      await subject.until(() => seen.values.length === 2);
      expect(seen).toEqual({ values: [{ a: 1 }, 'pong'], end: null });
    });

    it('fails when the other side closes the connection', async () => {
      const { seen } = watched(subject.inputs.socket(`${subject.ws}/feed`));
      await subject.until(() => subject.sockets.length === 1);
      subject.sockets[0]?.close();
      await subject.until(() => seen.end !== null);
      expect((seen.end as Error).message).toContain('closed the connection');
    });

    it('fails when the connection is silent for too long', async () => {
      const { end } = await ended(subject.inputs.socket(`${subject.ws}/feed`, { silentMs: 200 }));
      expect((end as Error).message).toContain('sent nothing for 0.2 s');
    });

    it('gives the lines that are added to a file, each once', async () => {
      const path = join(subject.folder, 'odds.jsonl');
      subject.append(path, 'before the start\n');
      const { seen } = watched(subject.inputs.lines(path));
      await untilItLooked(path, seen.values);
      // Of the lines that ask whether it has looked, some may still be on their way.
      const added = () => seen.values.filter((line) => line !== READY);
      subject.append(path, 'one\ntwo é\n');
      await subject.until(() => added().length === 2);
      subject.append(path, 'three\n');
      await subject.until(() => added().length === 3);
      expect([added(), seen.end]).toEqual([['one', 'two é', 'three'], null]);
    });

    /** The first look at a file finds its end; a line is given only if it was added afterwards. */
    const untilItLooked = (path: string, values: readonly string[]): Promise<void> =>
      subject.until(() => {
        if (values.length === 0) subject.append(path, `${READY}\n`);
        return values.length > 0;
      });

    it('stops when it is left', async () => {
      const path = join(subject.folder, 'odds.jsonl');
      subject.append(path, '');
      const { seen, leave } = watched(subject.inputs.lines(path));
      await untilItLooked(path, seen.values);
      leave();
      const count = seen.values.length;
      subject.append(path, 'late\n');
      subject.serve('/odds', { body: '[1]' });
      await get('/odds');
      expect(seen.values).toHaveLength(count);
    });
  });
}

sourceInputsContract('in memory', inputsInMemory);
sourceInputsContract('of the machine', inputsOfTheMachine);
