import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../src/ports/journal.ts';
import type { HttpRequest } from '../../src/ports/transport.ts';
import { Trace } from './trace.ts';

const [A, B] = ['0aaaaaaa-1111-4111-8111-aaaaaaaaaaaa', '0bbbbbbb-2222-4222-9222-bbbbbbbbbbbb'] as const;

const post = (uuid: string): HttpRequest => ({
  method: 'POST',
  path: '/v2/orders/',
  headers: {},
  timeoutMs: 1_000,
  body: JSON.stringify({ request_uuid: uuid }),
});

const record = (data: JournalEntry['data'], uuid: string = A): JournalEntry => ({
  kind: 'order_changed',
  uuid,
  data,
});

/** The hashes of a trace with these entries. */
function hashesOf(tell: (trace: Trace) => void, without: readonly string[] = []) {
  const trace = new Trace(without);
  tell(trace);
  return trace.hashes();
}

describe('a trace', () => {
  it('counts an id by its place, so that other ids in the same places are the same behaviour', () => {
    const traced = (first: string, second: string) =>
      hashesOf((trace) => {
        trace.request(1, post(first));
        trace.request(2, post(second));
        trace.records(2, [record({ state: 'live', bodyHash: first }, second)]);
      });
    expect(traced(A, B)).toEqual(traced(B, A));
    expect(traced(A, A)).not.toEqual(traced(A, B));
  });

  it.each([
    ['the instant', (trace: Trace) => trace.request(2, post(A))],
    ['the body', (trace: Trace) => trace.request(1, { ...post(A), body: null })],
    ['the method', (trace: Trace) => trace.request(1, { ...post(A), method: 'GET' })],
    [
      'an answer',
      (trace: Trace) => {
        trace.request(1, post(A));
        trace.answer(1, { status: 200, headers: {}, body: '' });
      },
    ],
  ])('distinguishes a wire by %s', (_, tell) => {
    const before = hashesOf((trace) => trace.request(1, post(A)));
    expect(hashesOf(tell).wire).not.toBe(before.wire);
    expect(hashesOf(tell).journal).toBe(before.journal);
  });

  it('omits the named fields of records, at any depth, and no others', () => {
    const journal = (data: JournalEntry['data'], without: readonly string[]) =>
      hashesOf((trace) => trace.records(1, [record(data)]), without).journal;
    const added = { order: { tick: 7, owner: 'ladder' }, mode: 'take_only' };
    expect(journal(added, ['owner', 'mode'])).toBe(journal({ order: { tick: 7 } }, []));
    expect(journal(added, ['mode'])).not.toBe(journal({ order: { tick: 7 } }, []));
    expect(journal({ order: { tick: 8, owner: 'ladder' } }, ['owner'])).not.toBe(
      journal(added, ['owner', 'mode']),
    );
  });

  it('omits the records of a named kind, also where a write holds no others', () => {
    const cursor: JournalEntry = { kind: 'cursor', uuid: null, data: {} };
    const journal = (writes: readonly (readonly JournalEntry[])[], without: readonly string[]) =>
      hashesOf((trace) => writes.forEach((entries) => trace.records(1, entries)), without).journal;
    const [added, before] = [[[cursor], [record({}), cursor]], [[record({})]]];
    expect(journal(added, ['kind:cursor'])).toBe(journal(before, []));
    expect(journal(added, [])).not.toBe(journal(before, []));
  });
});
