import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { closing, messages, raw, refusal, start } from './support.ts';

describe('REST over HTTP', () => {
  it('carries method, target, key and body, and reports to the exchange that the answer was delivered', async () => {
    const { core, simulator } = await start();
    const response = await fetch(`${simulator.rest}orders/?page=1`, {
      method: 'POST',
      headers: { 'X-Api-Key': 'k' },
      body: '{"ü":1}',
    });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({
      status: 'ok',
      data: { method: 'POST', target: '/v2/orders/?page=1', apiKey: 'k', body: '{"ü":1}' },
    });
    await expect.poll(() => core.released).toBe(1);
  });

  it('frees the slot of a call whose client left before the answer', async () => {
    const { core, simulator } = await start();
    await new Promise<void>((resolve) => {
      const call = httpRequest(`${simulator.rest}offers/`, { headers: { 'x-api-key': 'k' } });
      call.on('error', () => resolve());
      call.on('close', () => resolve());
      call.on('response', (response) => response.destroy());
      call.end();
    });
    await expect.poll(() => core.released).toBe(1);
  });

  it('refuses a body over the cap with the documented error, before it reaches the exchange', async () => {
    const { core, simulator } = await start({ maxBodyBytes: 100 });
    const response = await fetch(`${simulator.rest}orders/`, { method: 'POST', body: 'x'.repeat(5_000_000) });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      status: 'error',
      code: 'validation_error',
      data: { validation_errors: { non_field_errors: ['request body too large'] } },
    });
    expect(core.calls).toEqual([]);
  });

  it('answers bytes that are not HTTP and goes on', async () => {
    const { simulator } = await start();
    const answer = await raw(simulator.port, 'NOT HTTP AT ALL\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"validation_error"');
    expect((await fetch(`${simulator.rest}xrates/`)).status).toBe(401);
  });

  it('accepts whole addresses as targets, and answers requests that offer HTTP/2', async () => {
    const { core, simulator } = await start();
    const headers = ['Host: exchange', 'X-Api-Key: k', 'Connection: close'];
    const whole = ['GET http://exchange/v2/xrates/?a=1 HTTP/1.1', ...headers];
    expect(await raw(simulator.port, `${whole.join('\r\n')}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    const upgrade = [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAoAAA',
    ];
    const offer = ['GET /v2/balance/ HTTP/1.1', 'Host: exchange', 'X-Api-Key: k', ...upgrade];
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(simulator.port, '127.0.0.1', () =>
        socket.write(`${offer.join('\r\n')}\r\n\r\n`),
      );
      socket.once('data', (chunk) => {
        socket.destroy();
        resolve(chunk.toString());
      });
    });
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(core.calls.filter((call) => call.startsWith('GET'))).toEqual([
      'GET /v2/xrates/?a=1',
      'GET /v2/balance/',
    ]);
  });

  it('answers an internal error with 500', async () => {
    const { simulator } = await start();
    expect((await fetch(`${simulator.rest}crash/`, { headers: { 'x-api-key': 'k' } })).status).toBe(500);
  });
});

describe('stream over WebSocket', () => {
  it('carries frames both ways, from both prefixes, without compression', async () => {
    const { simulator } = await start();
    const prefixed = simulator.stream.replace('/v2/', '/magic-api/v2/');
    expect(await messages(`${simulator.stream}?api_key=k`, 2, ['[1]'])).toEqual(['hello', 'echo [1]']);
    expect(await messages(`${prefixed}?api_key=k`, 1)).toEqual(['hello']);
    const socket = new WebSocket(`${simulator.stream}?api_key=k`);
    await once(socket, 'open');
    expect(socket.extensions).toBe('');
  });

  it('refuses a handshake with a plain HTTP answer', async () => {
    const { simulator } = await start();
    expect(await refusal(simulator.stream)).toEqual({ status: 400, body: 'missing_credentials' });
    expect(await refusal(simulator.stream.replace('stream', 'nothing'))).toEqual({
      status: 404,
      body: 'not_found',
    });
  });

  it('forgets a connection whose handshake was not WebSocket', async () => {
    const { core, simulator } = await start();
    const lines = [
      'GET /v2/stream?api_key=k HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
    ];
    expect(await raw(simulator.port, `${lines.join('\r\n')}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
    expect(core.connections.size).toBe(0);
  });

  it('informs the exchange when a client is gone', async () => {
    const { core, simulator } = await start();
    await messages(`${simulator.stream}?api_key=k`, 1);
    await expect.poll(() => core.connections.size).toBe(0);
  });

  it('closes with the code of the exchange', async () => {
    const { simulator } = await start();
    const socket = new WebSocket(`${simulator.stream}?api_key=k`);
    socket.on('open', () => socket.send('leave'));
    expect(await closing(socket)).toBe(1000);
  });

  it('drops connections raw, without a close frame', async () => {
    const { simulator } = await start();
    const socket = new WebSocket(`${simulator.stream}?api_key=k`);
    socket.on('message', () => simulator.host.dropStreams());
    expect(await closing(socket)).toBe(1006);
  });

  it('passes an oversized frame on as one that is not JSON', async () => {
    const { simulator } = await start({ maxFrameBytes: 10 });
    expect(await messages(`${simulator.stream}?api_key=k`, 2, ['x'.repeat(11)])).toEqual(['hello', 'echo ']);
  });

  it('closes a reader that does not keep up, and ends its connection', async () => {
    const { core, simulator } = await start({ maxBufferedBytes: 1_000 });
    const socket = new WebSocket(`${simulator.stream}?api_key=k`);
    await once(socket, 'message');
    socket.pause();
    const [connection] = core.connections;
    simulator.host.run(() => {
      for (let i = 0; i < 200; i++) core.say(connection ?? 0, 'x'.repeat(100_000));
    });
    expect(core.connections.size).toBe(0);
    socket.resume();
    expect(await closing(socket)).toBe(1008);
  });
});

describe('starting and stopping', () => {
  it('reports clearly that a port is in use', async () => {
    const { simulator } = await start();
    await expect(start({ port: simulator.port })).rejects.toMatchObject({
      name: 'TouchlineError',
      code: 'port_in_use',
      message: `port ${simulator.port} on 127.0.0.1 is in use; choose another`,
    });
  });

  it('ends every connection at once when it closes, and frees the port', async () => {
    const { simulator } = await start();
    const socket = new WebSocket(`${simulator.stream}?api_key=k`);
    await once(socket, 'message');
    const closed = closing(socket);
    await Promise.all([simulator.close(), simulator.close()]);
    expect(await closed).toBe(1006);
    const { simulator: next } = await start({ port: simulator.port });
    expect(next.port).toBe(simulator.port);
  });
});
