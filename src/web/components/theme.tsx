import { createContext, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export type Theme = 'system' | 'light' | 'dark' | 'contrast';

/** Changes whenever the colours in force may have changed. Charts draw again then: a canvas does not follow style sheets. */
export const ThemeVersion = createContext('system');

const DARK = '(prefers-color-scheme: dark)';
const CONTRAST = '(prefers-contrast: more)';

/** The theme that the reader chose, and a number that changes with the colours in force. */
export function useTheme(): { theme: Theme; setTheme: (theme: Theme) => void; version: string } {
  const [theme, setTheme] = useState<Theme>('system');
  const isDark = useMedia(DARK);
  const wantsContrast = useMedia(CONTRAST);
  const isHigh = theme === 'contrast' || (theme === 'system' && wantsContrast);
  const { dataset } = document.documentElement;
  dataset['theme'] = theme;
  dataset['contrast'] = isHigh ? 'more' : 'usual';
  return { theme, setTheme, version: `${theme} ${isDark} ${isHigh}` };
}

/** Whether a condition of a style sheet holds. */
function useMedia(condition: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(condition).matches);
  useEffect(() => {
    const query = matchMedia(condition);
    const follow = (): void => setHolds(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, [condition]);
  return holds;
}

interface ThemeChoiceProps {
  readonly theme: Theme;
  readonly onChange: (theme: Theme) => void;
}

export function ThemeChoice({ theme, onChange }: ThemeChoiceProps): JSX.Element {
  return (
    <label>
      Colours
      <select value={theme} onChange={(event) => onChange(event.currentTarget.value as Theme)}>
        <option value="system">as the system</option>
        <option value="light">light</option>
        <option value="dark">dark</option>
        <option value="contrast">high contrast</option>
      </select>
    </label>
  );
}
