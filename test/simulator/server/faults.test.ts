import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { faultSchema } from '../../../src/simulator/faults/schema.ts';
import { closing, messages, raw, refusal, start } from './support.ts';
import { patient } from '../../support/patience.ts';

const started = (...faults: object[]) => start({ faults: faults.map((fault) => faultSchema.parse(fault)) });

const onRest = (fault: string, more: object = {}) => started({ target: 'rest', fault, ...more });

const REQUEST = 'GET /v2/balance/ HTTP/1.1\r\nHost: x\r\nX-Api-Key: k\r\nConnection: close\r\n\r\n';

describe('requests over HTTP', () => {
  it('are cut off: before the exchange saw them, or after', async () => {
    const before = await onRest('reset');
    expect(await raw(before.simulator.port, REQUEST)).toBe('');
    expect(before.core.calls).toEqual([]);
    const after = await onRest('reset_after');
    expect(await raw(after.simulator.port, REQUEST)).toBe('');
    expect(after.core.calls).toEqual(['GET /v2/balance/']);
    expect(after.core.released).toBe(1);
  });

  it('are answered in part, and the connection ends', async () => {
    const { core, simulator } = await onRest('cut_body');
    const text = await raw(simulator.port, REQUEST);
    const [head, body] = text.split('\r\n\r\n');
    const promised = Number(/content-length: (\d+)/i.exec(head ?? '')?.[1]);
    expect(body?.length).toBe(Math.floor(promised / 2));
    expect(core.released).toBe(1);
  });

  it.each(['request_lost', 'answer_lost', 'stall'])('never end: %s', async (fault) => {
    const { core, simulator } = await onRest(fault);
    const signal = AbortSignal.timeout(patient(150));
    const call = fetch(`${simulator.rest}balance/`, { headers: { 'x-api-key': 'k' }, signal });
    await expect(call.then((response) => response.text())).rejects.toThrow(/aborted/);
    expect(core.calls).toEqual(fault === 'request_lost' ? [] : ['GET /v2/balance/']);
  });

  it('release their slot when the client has gone before its answer', async () => {
    const { core, simulator } = await onRest('answer_delayed', { delay_ms: patient(120) });
    const signal = AbortSignal.timeout(patient(40));
    const call = fetch(`${simulator.rest}offers/`, { headers: { 'x-api-key': 'k' }, signal });
    await expect(call).rejects.toThrow(/aborted/);
    await expect.poll(() => core.released).toBe(1);
    expect(core.calls).toEqual(['GET /v2/offers/']);
  });

  it('cannot connect while the port is closed, and can again', async () => {
    const { simulator } = await start();
    const id = simulator.host.addFault(faultSchema.parse({ target: 'network', fault: 'connect_refused' }));
    const refused = fetch(`${simulator.rest}balance/`);
    await expect(refused).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    simulator.host.removeFault(id);
    await expect
      .poll(() => fetch(`${simulator.rest}balance/`).then(({ status }) => status, String))
      .toBe(401);
  });
});

describe('stream over WebSocket', () => {
  it('refuses handshakes as configured, or never answers them', async () => {
    const { simulator } = await started(
      { target: 'handshake', fault: 'refused_upgrade', status: 401, times: 1 },
      { target: 'handshake', fault: 'upgrade_reset', times: 1 },
    );
    const url = `${simulator.stream}?api_key=k`;
    expect(await refusal(url)).toEqual({ status: 401, body: 'auth_rejected' });
    await expect(refusal(url)).rejects.toThrow(/socket hang up|ECONNRESET/);
    expect(await messages(url, 1)).toEqual(['hello']);
  });

  it.each([
    [{ fault: 'raw_close' }, 1006],
    [{ fault: 'raw_close', mid_frame: true }, 1006],
    [{ fault: 'close' }, 1008],
  ])('ends by %o', async (fault, code) => {
    const { simulator } = await start();
    const socket = new WebSocket(`${simulator.stream}?api_key=k`);
    await once(socket, 'message');
    const closed = closing(socket);
    simulator.host.addFault(faultSchema.parse({ target: 'stream', ...fault }));
    expect(await closed).toBe(code);
    expect(simulator.host.openStreams).toBe(0);
  });

  it('shows the first bytes of a frame that never ends', async () => {
    const { simulator } = await started({ target: 'stream', fault: 'raw_close', mid_frame: true, at: 0.05 });
    const handshake = [
      'GET /v2/stream?api_key=k HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ];
    const text = await raw(simulator.port, `${handshake.join('\r\n')}\r\n\r\n`);
    expect(text).toContain('hello');
    expect(text).toMatch(/\{"ts":"[^"]*"[^}]*$/);
  });
});
