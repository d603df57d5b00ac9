import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { builtText } from '../../src/app/pages/built-pages.ts';
import { linkOf, WORKER_PATH } from '../../src/ops/dashboard/links.ts';
import type { AccessScope } from '../../src/ops/scopes.ts';
import type { LiveMessage } from '../../src/read-model/live/message.ts';
import { type Scene, SCENE_AT_MS } from './dashboard-scenes.ts';

/** A server of the dashboard that plays scenes instead of a daemon. */
export interface Stage {
  readonly link: string;
  /** Pages that open from now on see this. */
  show(scene: Scene): void;
  close(): void;
}

const EVERY_MS = 500;
const POINT_MS = 10_000;

/** What a person may do on the stage: everything, and nothing happens. */
const SCOPE: AccessScope = 'control';

/** Serves the built page. Throws an Error if it cannot be built. */
export async function openStage(): Promise<Stage> {
  const [page, worker] = [await builtText('dashboard.html'), await builtText('dashboard-worker.js')];
  if ('missing' in page || 'missing' in worker) throw new Error('the dashboard is not built');
  let scene: Scene = { pieces: {}, isAlive: false };
  const timers = new Set<NodeJS.Timeout>();
  const play = (response: ServerResponse): void => {
    const { pieces, isAlive } = scene;
    const startMs = performance.now();
    const send = (set?: LiveMessage['set']): void => {
      const atMs = SCENE_AT_MS + Math.round(performance.now() - startMs);
      const message: LiveMessage = {
        atMs,
        frameAtMs: atMs - 300,
        isFirst: set !== undefined,
        ...(set && { set }),
      };
      response.write(`data: ${JSON.stringify(message)}\n\n`);
    };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    send(pieces);
    if (!isAlive) return;
    const timer = setInterval(send, EVERY_MS);
    timers.add(timer);
    response.on('close', () => clearInterval(timer));
  };
  const server = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    if (path === '/live') return play(response);
    if (path === '/') return answer(response, 'text/html', page.text);
    if (path === WORKER_PATH) return answer(response, 'text/javascript', worker.text);
    return answer(response, 'application/json', JSON.stringify(bodyOf(request, path)));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    link: linkOf(`http://127.0.0.1:${port}`, 'stage'),
    show(next) {
      scene = next;
    },
    close() {
      for (const timer of timers) clearInterval(timer);
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'content-type': type });
  response.end(text);
}

function bodyOf({ method }: IncomingMessage, path: string): unknown {
  if (path === '/session') return method === 'POST' ? { token: 'stage', scope: SCOPE } : { scope: SCOPE };
  if (path === '/timeline') return TIMELINE;
  return [];
}

/** Half an hour of profit, and of what was at stake. */
const TIMELINE = Array.from({ length: 180 }, (_, at) => ({
  atMs: SCENE_AT_MS - (180 - at) * POINT_MS,
  settled: at < 90 ? 0 : -1_204.5,
  expected: 613.42 * Math.sin(at / 40),
  worst: -4_211.5 + 20 * (at % 50),
  openStake: 1_318 + 11 * (at % 30),
}));
