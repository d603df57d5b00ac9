import { z } from 'zod';
import { TouchlineError } from '../../domain/errors.ts';
import type { ParameterControls } from '../../ops/dashboard/parameter-routes.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ParameterChange, ParameterWish, StrategyParameters } from '../../read-model/live/parameters.ts';
import { LIVE_LIMITS } from '../../risk/index.ts';
import { changesOf } from '../config/changes.ts';
import type { Config } from '../config/load.ts';
import { changedOverrides, type Overrides, type OverridesFile, overridesKey } from '../config/overrides.ts';
import { type ConfiguredStrategy, parametersOf, strategyTables } from '../config/validate.ts';
import type { Reloader } from './reload.ts';

/**
 * Changes parameters of strategies while the daemon runs. A change is a reload with other overrides, so it passes every check of one, and
 * is in the journal like one. `read` reads the configuration with other overrides and validates it; it rejects with ConfigError.
 */
export function parameterControls(
  strategies: readonly ConfiguredStrategy[],
  overrides: OverridesFile,
  read: (overrides: Overrides) => Promise<Config>,
  reloader: Pick<Reloader, 'config' | 'reload'>,
  logger: Logger,
): ParameterControls {
  const known = (name: string): ConfiguredStrategy => {
    const found = strategies.find((each) => each.name === name);
    if (found !== undefined) return found;
    throw new TouchlineError(
      'usage',
      `no strategy ${name} runs; these do: ${strategies.map((each) => each.name).join(', ')}`,
    );
  };
  const nextOf = ({ strategy, parameters }: ParameterWish): Overrides =>
    changedOverrides(overrides.read(), overridesKey(known(strategy).settings), parameters);
  const preview = async (wish: ParameterWish): Promise<readonly ParameterChange[]> => {
    const next = await read(nextOf(wish));
    return changesOf(reloader.config, next, { risk: LIVE_LIMITS }).map(({ key, from, to }) => ({
      key,
      from: from ?? null,
      to: to ?? null,
    }));
  };
  return {
    list: () => ({
      where: overrides.where,
      strategies: strategies.map((each) => reportOf(each, reloader.config, overrides.read())),
    }),
    preview,
    async change(wish, by) {
      const changes = await preview(wish);
      const before = overrides.read();
      overrides.write(nextOf(wish));
      if ((await reloader.reload(by)) === 'refused') {
        overrides.write(before);
        throw new TouchlineError('refused', 'the change was not applied: the log says why');
      }
      logger.info('parameters were changed', { by, strategy: wish.strategy, changes: [...changes] });
      return changes;
    },
  };
}

function reportOf(strategy: ConfiguredStrategy, config: Config, overrides: Overrides): StrategyParameters {
  const [, settings] = strategyTables(config).find(([key]) => key === strategy.key) ?? [
    '',
    strategy.settings,
  ];
  const values = parametersOf({ ...strategy, settings }) as Record<string, unknown> | undefined;
  const own = overrides[overridesKey(settings)] ?? {};
  const described = propertiesOf(strategy);
  return {
    name: strategy.name,
    description: strategy.plugin.description,
    parameters: Object.entries(values ?? {}).map(([name, value]) => ({
      name,
      value,
      isOverridden: name in own,
      ...described[name],
    })),
  };
}

const property = z.looseObject({
  description: z.string().optional(),
  type: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  enum: z.array(z.string()).optional(),
});

type Described = Omit<StrategyParameters['parameters'][number], 'name' | 'value' | 'isOverridden'>;

/** Each parameter as the strategy's schema describes it. A schema may hold checks that cannot be written down. */
function propertiesOf({ plugin }: ConfiguredStrategy): Readonly<Record<string, Described>> {
  const written = z.toJSONSchema(plugin.parameters, { io: 'input', unrepresentable: 'any' });
  return Object.fromEntries(
    Object.entries(written.properties ?? {}).map(([name, of]) => {
      const { description, type, minimum, maximum, enum: choices } = property.safeParse(of).data ?? {};
      return [name, { description, type, minimum, maximum, choices }];
    }),
  );
}
