import { beforeEach, describe, expect, it } from 'vitest';
import { WorkQueue } from '../../../src/orders/state/work-queue.ts';

let done: string[];
let queue: WorkQueue;

const work = (name: string) => (): void => void done.push(name);
const fails = (name: string) => (): void => {
  throw new Error(name);
};
/** All turns that are scheduled now, and those that they schedule. */
const turns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function made(limit?: number): WorkQueue {
  const hooks = {
    afterTurn: work('after'),
    onOverflow: work('overflow'),
    onFatal: (error: unknown) => void done.push(`fatal ${(error as Error).message}`),
  };
  return new WorkQueue(hooks, limit);
}

beforeEach(() => {
  done = [];
  queue = made();
});

describe('work', () => {
  it('runs in a turn of its own, account entries first, each kind in its order, with one end', async () => {
    queue.post(work('a'));
    queue.account(work('x'));
    queue.post(work('b'));
    queue.account(work('y'));
    expect(done).toEqual([]);
    await turns();
    expect(done).toEqual(['x', 'y', 'a', 'b', 'after']);
    queue.post(work('c'));
    await turns();
    expect(done.slice(5)).toEqual(['c', 'after']);
  });

  it('that work adds belongs to the turn, and its account entries go before other work', async () => {
    queue.post(() => queue.account(work('x')));
    queue.post(work('a'));
    await turns();
    expect(done.filter((each) => each !== 'after')).toEqual(['x', 'a']);
    expect(done.at(-1)).toBe('after');
  });

  it('that fails is a bug, and stops neither the rest of the turn nor later ones', async () => {
    queue.account(fails('broken'));
    queue.post(work('a'));
    await turns();
    expect(done).toEqual(['fatal broken', 'a', 'after']);
    queue.post(work('b'));
    await turns();
    expect(done.slice(3)).toEqual(['b', 'after']);
  });

  it('is forgotten when the queue stops, during a turn, too, and none is taken on later', async () => {
    queue.account(work('x'));
    queue.post(work('a'));
    queue.stop();
    await turns();
    expect(done).toEqual([]);
    queue = made();
    queue.account(() => queue.stop());
    queue.account(work('y'));
    queue.post(work('b'));
    await turns();
    queue.post(work('c'));
    queue.account(work('z'));
    await turns();
    expect(done).toEqual([]);
  });

  it('at the end of a turn may fail, and is a bug as well', async () => {
    queue = new WorkQueue({
      afterTurn: fails('the end'),
      onOverflow: work('overflow'),
      onFatal: (error) => void done.push((error as Error).message),
    });
    queue.post(work('a'));
    await turns();
    expect(done).toEqual(['a', 'the end']);
  });
});

describe('too many account entries', () => {
  it.each([
    [3, ['1', '2', '3', 'after']],
    [4, ['overflow', '4', 'after']],
    [5, ['overflow', '4', '5', 'after']],
  ])('are dropped, and the queue tells so, once it holds more than three: %i', async (count, expected) => {
    queue = made(3);
    for (let at = 1; at <= count; at++) queue.account(work(`${at}`));
    await turns();
    expect(done).toEqual(expected);
  });

  it('are dropped from ten thousand on, and other work is kept', async () => {
    queue.post(work('other'));
    for (let at = 0; at < 10_000; at++) queue.account(() => undefined);
    queue.account(work('last'));
    await turns();
    expect(done).toEqual(['overflow', 'last', 'other', 'after']);
  });
});

describe('a call', () => {
  const call = (start: () => Promise<string>): void =>
    queue.call(
      start,
      (value) => void done.push(`done ${value}`),
      (error) => void done.push(`failed ${(error as Error).message}`),
    );

  it('starts at once, and its answer is work', async () => {
    call(async () => {
      done.push('starts');
      return 'well';
    });
    expect(done).toEqual(['starts']);
    await turns();
    expect(done).toEqual(['starts', 'done well', 'after']);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no'))],
    ['throws at once', fails('no') as () => never],
  ])('that %s has failed once, as work', async (_, start) => {
    call(start);
    expect(done).toEqual([]);
    await turns();
    expect(done).toEqual(['failed no', 'after']);
  });

  it('whose answer cannot be handled is a bug, and has not failed', async () => {
    queue.call(() => Promise.resolve(), fails('bad handler'), work('failed'));
    await turns();
    expect(done).toEqual(['fatal bad handler', 'after']);
  });
});

describe('a task to wait for', () => {
  it('resolves to its result', async () => {
    expect(await queue.run(() => 7)).toBe(7);
  });

  it('rejects with its error, which is a bug, too', async () => {
    await expect(queue.run(fails('broken'))).rejects.toThrow('broken');
    await turns();
    expect(done).toEqual(['fatal broken', 'after']);
  });
});
