import { Buffer } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { acting, hookedPage } from './hooked-page.ts';

const DASHBOARD = fileURLToPath(new URL('../../src/web/dashboard/', import.meta.url));

/** What a file of the dashboard exports. Node reads neither JSX nor style sheets. */
export async function componentsIn(file: string): Promise<Readonly<Record<string, unknown>>> {
  const built = await rolldown({
    input: `${DASHBOARD}${file}`,
    external: /^preact/,
    moduleTypes: { '.css': 'empty' },
    logLevel: 'silent',
  });
  const { output } = await built.generate({ format: 'esm', paths: (id) => import.meta.resolve(id) });
  await built.close();
  const code = Buffer.from(output[0].code).toString('base64');
  return (await import(`data:text/javascript;base64,${code}`)) as Readonly<Record<string, unknown>>;
}

/** An element or a component in what a component shows. */
export interface Shown {
  readonly type: unknown;
  readonly props: Readonly<Record<string, unknown>>;
}

type Component = (props: never) => unknown;

const isShown = (of: unknown): of is Shown => typeof of === 'object' && of !== null && 'props' in of;

/** Everything in what is shown, from the outside in. Components are not opened: `pressedPage` shows one by itself. */
function* allIn(of: unknown): Generator<Shown | string> {
  if (Array.isArray(of)) for (const each of of) yield* allIn(each);
  else if (typeof of === 'string' || typeof of === 'number') yield String(of);
  else if (isShown(of)) {
    yield of;
    yield* allIn(of.props['children']);
  }
}

/**
 * Shows a component of the dashboard without a document: it can be read, pressed and typed into. Answers that it waits for arrive with
 * `settled`.
 */
export function pressedPage(component: unknown, props: object) {
  let tree: unknown = null;
  const page = hookedPage<object>((given) => void (tree = (component as Component)(given as never)));
  page.show(props);
  const all = (): readonly (Shown | string)[] => [...allIn(tree)];
  const nodes = (): readonly Shown[] => all().filter((each) => typeof each !== 'string');
  const buttons = (): readonly Shown[] => nodes().filter(({ type }) => type === 'button');
  const textOf = (of: unknown): string => [...allIn(of)].filter((each) => typeof each === 'string').join('');
  return {
    nodes,
    text: () => textOf(tree),
    labels: () => buttons().map(({ props: { children } }) => textOf(children)),
    /** Those of its components that have this name. */
    named: (name: string) => nodes().filter(({ type }) => typeof type === 'function' && type.name === name),
    press(label: string): void {
      const button = buttons().find(({ props: { children } }) => textOf(children) === label);
      if (button === undefined) throw new Error(`there is no button ${label}`);
      acting(() => (button.props['onClick'] as () => void)());
    },
    type(value: string): void {
      const field = nodes().find(({ type }) => type === 'input');
      if (field === undefined) throw new Error('there is no field');
      acting(() => (field.props['onInput'] as (event: object) => void)({ currentTarget: { value } }));
    },
    show: page.show,
    leave: page.leave,
  };
}

/** Lets pages take up the answers that have come by now. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  acting(() => undefined);
}
