import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/app/config/load.ts';
import { overridesOf, withOverrides } from '../../../src/app/config/overrides.ts';
import { validateConfig } from '../../../src/app/config/validate.ts';
import { parameterControls } from '../../../src/app/run/parameters.ts';
import { silentLogger } from '../../../src/ports/logger.ts';

const SETTINGS = { 'strategy.name': 'symmetric', 'strategy.parameters.stake': '5' };

/** Controls over a configuration. A reload takes over what is read, unless it refuses. */
async function controlsOver(refuses = false) {
  const loaded = loadConfig({ files: [], environment: {}, settings: SETTINGS });
  const overrides = overridesOf(loaded.values);
  const read = async (over = overrides.read()) => (await validateConfig(withOverrides(loaded, over))).config;
  const { config, strategies } = await validateConfig(loaded);
  const reloads: string[] = [];
  const reloader = {
    config,
    async reload(by: string) {
      reloads.push(by);
      if (refuses) return 'refused' as const;
      reloader.config = await read();
      return 'applied' as const;
    },
  };
  const controls = parameterControls(strategies, overrides, read, reloader, silentLogger);
  const valueOf = (name: string) =>
    controls.list().strategies[0]?.parameters.find((parameter) => parameter.name === name);
  return { controls, overrides, reloads, valueOf };
}

const wish = (parameters: Record<string, unknown>, strategy = 'symmetric') => ({ strategy, parameters });

describe('parameters of a running daemon', () => {
  it('are listed with their values, meanings and ranges', async () => {
    const { controls, valueOf } = await controlsOver();
    expect(controls.list().strategies.map(({ name }) => name)).toEqual(['symmetric']);
    expect(valueOf('stake')).toMatchObject({ value: 5, isOverridden: false, type: 'number' });
    expect(valueOf('halfSpread')).toMatchObject({
      value: 0.03,
      minimum: 1e-4,
      maximum: 5,
      description: 'distance of each quote from fair, in log-odds',
    });
  });

  it('are changed with a preview of the difference, and back again', async () => {
    const { controls, overrides, reloads, valueOf } = await controlsOver();
    const change = [{ key: 'strategy.parameters.stake', from: 5, to: 7 }];
    expect(await controls.preview(wish({ stake: 7 }))).toEqual(change);
    expect([overrides.read(), valueOf('stake')?.value]).toEqual([{}, 5]);
    expect(await controls.change(wish({ stake: 7 }), 'anna')).toEqual(change);
    expect(valueOf('stake')).toMatchObject({ value: 7, isOverridden: true });
    await controls.change(wish({ stake: null }), 'anna');
    expect(valueOf('stake')).toMatchObject({ value: 5, isOverridden: false });
    expect([overrides.read(), reloads]).toEqual([{}, ['anna', 'anna']]);
  });

  it.each([
    [{ stake: -1 }, /stake = -1/],
    [{ stake: 'many' }, /stake = "many"/],
    [{ nonsense: 1 }, /nonsense/],
  ])('refuse %j by the words of the strategy, and stay', async (parameters, words) => {
    const { controls, overrides, reloads } = await controlsOver();
    await expect(controls.preview(wish(parameters))).rejects.toThrow(words);
    await expect(controls.change(wish(parameters), 'anna')).rejects.toThrow(words);
    expect([overrides.read(), reloads]).toEqual([{}, []]);
  });

  it('name the strategies that run', async () => {
    const { controls } = await controlsOver();
    await expect(controls.preview(wish({ stake: 7 }, 'other'))).rejects.toThrow(
      'no strategy other runs; these do: symmetric',
    );
  });

  it('keep no change that the daemon did not apply', async () => {
    const { controls, overrides } = await controlsOver(true);
    await expect(controls.change(wish({ stake: 7 }), 'anna')).rejects.toThrow('was not applied');
    expect(overrides.read()).toEqual({});
  });
});
