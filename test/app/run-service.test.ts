import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/app/config/load.ts';
import type { RunConsole } from '../../src/app/run-console.ts';
import { runOnExchange } from '../../src/app/run-service.ts';
import { ConfigError } from '../../src/domain/errors.ts';
import { silentLogger } from '../../src/ports/logger.ts';

/** No key is set: a run whose configuration passes ends at that. */
function runOf(settings: Readonly<Record<string, string>>, live = false): Promise<number> {
  const read = () => loadConfig({ files: [], environment: {}, settings }).values;
  const console: RunConsole = {
    ...{ logger: silentLogger, isTerminal: false, outputLost: new Promise(() => undefined) },
    ...{ setLogLevel: () => undefined, banner: () => undefined },
    ...{ show: () => undefined, finish: () => undefined },
  };
  return runOnExchange({ config: read(), readAgain: read, live, durationMs: null, console });
}

const at = (rest: string, stream: string) => ({
  'exchange.restUrl': `http://${rest}/v2/`,
  'exchange.streamUrl': `ws://${stream}/stream`,
});

describe('a run in simulated mode', () => {
  it.each([
    ['exchange.restUrl', at('exchange.example', 'localhost')],
    ['exchange.streamUrl', at('localhost', '192.0.2.1')],
    ['exchange.restUrl', at('127.0.0.1.example', 'localhost')],
    ['exchange.restUrl', at('localhost@exchange.example', 'localhost')],
  ])('refuses an exchange that is not on this machine: %s', async (key, settings) => {
    const run = runOf(settings);
    await expect(run).rejects.toThrow(ConfigError);
    await expect(run).rejects.toThrow(new RegExp(`${key} = .*not on this machine`));
  });

  it.each(['localhost:8080', '127.0.0.1:8080', '[::1]:8080'])(
    'takes one on this machine: %s',
    async (host) => {
      await expect(runOf(at(host, host))).rejects.toThrow('no API key');
    },
  );
});
