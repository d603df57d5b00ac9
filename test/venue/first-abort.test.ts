import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { firstAbort } from '../../src/venue/rest/client.ts';

describe('the first abort of two', () => {
  it.each(['one', 'other'] as const)('comes from %s, with its reason', (name) => {
    const sources = { one: new AbortController(), other: new AbortController() };
    const { signal } = firstAbort(sources.one.signal, sources.other.signal);
    expect(signal.aborted).toBe(false);
    sources[name].abort(name);
    expect([signal.aborted, signal.reason]).toEqual([true, name]);
  });

  it('has come already when a source is aborted', () => {
    const { signal } = firstAbort(new AbortController().signal, AbortSignal.abort('early'));
    expect([signal.aborted, signal.reason]).toEqual([true, 'early']);
  });

  it('is the only source itself', () => {
    const { signal } = new AbortController();
    expect(firstAbort(signal).signal).toBe(signal);
  });

  it('leaves nothing at its sources after its release', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const { signal, release } = firstAbort(one.signal, other.signal);
    expect(getEventListeners(one.signal, 'abort')).toHaveLength(1);
    release();
    expect([one, other].map((source) => getEventListeners(source.signal, 'abort').length)).toEqual([0, 0]);
    one.abort();
    expect(signal.aborted).toBe(false);
  });
});
