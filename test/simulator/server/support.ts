import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../../src/app/adapters/system-clock.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { type SimulatorOptions, startSimulator } from '../../../src/simulator/server/start-simulator.ts';
import { FakeCore } from '../host/fake-core.ts';

/** A simulator over a fake core, closed after the test. */
export async function start(options: Partial<SimulatorOptions> = {}) {
  const core = new FakeCore();
  const simulator = await startSimulator({
    core,
    clock: systemClock,
    logger: silentLogger,
    port: 0,
    ...options,
  });
  onTestFinished(() => simulator.close());
  return { core, simulator };
}

/** Opens a socket and collects `count` messages. */
export async function messages(url: string, count: number, send: readonly string[] = []): Promise<string[]> {
  const socket = new WebSocket(url);
  const got: string[] = [];
  socket.on('open', () => send.forEach((text) => socket.send(text)));
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      got.push(data.toString());
      if (got.length === count) resolve();
    });
  });
  socket.terminate();
  return got;
}

/** The plain HTTP answer to a handshake in place of 101. */
export function refusal(url: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.on('open', () => reject(new Error('was accepted')));
    socket.on('error', reject);
    socket.on('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
  });
}

/** The code with which a socket closes; 1006 without a close frame. */
export function closing(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', (code) => resolve(code));
  });
}

/** Sends raw bytes. Returns everything that came back until the end. */
export function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
  });
}
