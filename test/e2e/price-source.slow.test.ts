import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Status } from '../../src/read-model/status.ts';
import { strategyOfPriceSources } from '../support/documented-strategy.ts';
import { temporaryFolder } from '../support/exchange.ts';
import { adminOf, metricsOf, reported } from '../support/place.ts';
import { touchline } from '../support/process.ts';

const folder = temporaryFolder();

/** A bookmaker: rows over HTTP, and a stream that floods with rubbish. */
let bookmaker: Server;
let port = 0;
let rows: readonly object[] = [];
let isDown = false;
let requests = 0;

const flood = (ws: WebSocket): void => {
  const timer = setInterval(() => {
    for (let count = 0; count < 300; count++) ws.send(count % 2 === 0 ? 'rubbish' : '[7, {"key": 7}, null]');
  }, 10);
  ws.on('close', () => clearInterval(timer));
};

beforeAll(async () => {
  bookmaker = createServer((request, answer) => {
    requests++;
    if (isDown) return void request.destroy();
    answer.end(JSON.stringify({ odds: rows }));
  });
  new WebSocketServer({ server: bookmaker }).on('connection', flood);
  await new Promise<void>((resolve) => void bookmaker.listen(0, '127.0.0.1', resolve));
  ({ port } = bookmaker.address() as AddressInfo);
});

afterAll(() => {
  folder.remove();
  bookmaker.closeAllConnections();
  bookmaker.close();
});

const settings = (): string => `mode = "simulated"
[strategy]
name = "${folder.file('follows.mjs', strategyOfPriceSources())}"
[universe]
sports = ["fb"]
marketTypes = ["wdw"]
maxEvents = 2
maxSelections = 6
[ops]
port = 0
[admin]
port = 0

[[priceSource]]
name = "http-json"
as = "odds"
staleAfterS = 2
key = "{sport}|{eventId}|{outcome}"
options = { url = "http://127.0.0.1:${port}/odds", everyS = 0.3, path = "odds", fields = { time = "at" } }

[[priceSource]]
name = "websocket"
as = "noise"
options = { url = "ws://127.0.0.1:${port}/" }
`;

it('quotes by a source, stops while its prices are stale, and trades on beside a source that floods', async () => {
  const run = touchline(['start', '--json', '--config', folder.file('sources.toml', settings())]);
  const [admin, served] = [await adminOf(run), await metricsOf(run)];
  const metricsText = async (): Promise<string> => (await fetch(`${served}/metrics`)).text();
  const why = async (): Promise<string> => JSON.stringify(await reported(admin, '/why'));
  const selections = async () =>
    ((await reported(admin, '/status')) as Status).events.flatMap((event) => event.selections);

  // The bookmaker has the market's own prices, which have a margin.
  await expect
    .poll(async () => (await selections()).filter(({ market }) => market.for !== null).length)
    .toBe(6);
  expect((await selections()).some(({ quoted }) => quoted.for !== null)).toBe(false);
  const priced = await selections();
  const update = (): void =>
    void (rows = priced.map(({ selectionId, market }) => ({
      key: selectionId,
      price: market.for,
      at: Date.now() - 40,
    })));
  const updates = setInterval(update, 100);
  await run.until(/order live/);
  await expect.poll(() => why()).toMatch(/price \d\.\d s old, took \d+ ms/);

  isDown = true;
  await expect
    .poll(async () => (await selections()).some(({ quoted }) => quoted.for ?? quoted.against))
    .toBe(false);
  await expect.poll(() => metricsText()).toMatch(/source_faults_total\{source="odds",kind="failed"\} \d/);
  isDown = false;
  const before = requests;
  await expect.poll(async () => (await selections()).some(({ quoted }) => quoted.for !== null)).toBe(true);
  expect(requests).toBeGreaterThan(before);
  await expect.poll(() => metricsText()).toMatch(/^touchline_source_missing_keys\{source="odds"\} 0$/m);
  clearInterval(updates);

  const metrics = await metricsText();
  expect(metrics).toMatch(/source_faults_total\{source="noise",kind="(invalid|failed)"\} \d/);
  expect(metrics).toMatch(/^touchline_source_prices_total\{source="odds"\} [1-9]/m);
  run.kill('SIGTERM');
  const exit = await run.exit;
  expect(exit.code).toBe(0);
  expect(exit.stderr).toContain('price source noise: ');
});
