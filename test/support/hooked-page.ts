/** Preact’s types would bring those of the browser into every test. */
const NAMES = ['preact', 'preact/test-utils'] as const;

interface Preact {
  readonly h: (component: (props: never) => null, props: object) => unknown;
  readonly render: (what: unknown, root: object) => void;
  readonly act: (work: () => void) => unknown;
}

const [{ h, render }, { act }] = (await Promise.all(NAMES.map((name) => import(name)))) as [Preact, Preact];

/** Lets a page take up what `work` does to it, at once. */
export const acting = (work: () => void): void => void act(work);

/** A page that uses hooks and shows nothing, so it needs no document. */
export function hookedPage<P extends object>(
  hooks: (props: P) => void,
): { readonly show: (props: P) => void; readonly leave: () => void } {
  const root = { childNodes: [], firstChild: null, namespaceURI: null };
  const Page = (props: P): null => {
    hooks(props);
    return null;
  };
  return {
    show: (props) => acting(() => render(h(Page, props), root)),
    leave: () => acting(() => render(null, root)),
  };
}
