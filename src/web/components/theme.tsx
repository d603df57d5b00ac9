import { createContext, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export type Theme = 'system' | 'light' | 'dark';

/** Changes whenever the colours in force may have changed. Charts draw again then: a canvas does not follow style sheets. */
export const ThemeVersion = createContext('system');

/** The theme that the reader chose, and a number that changes with the colours in force. */
export function useTheme(): { theme: Theme; setTheme: (theme: Theme) => void; version: string } {
  const [theme, setTheme] = useState<Theme>('system');
  const [isDark, setIsDark] = useState(() => matchMedia(DARK).matches);
  useEffect(() => {
    const query = matchMedia(DARK);
    const follow = (): void => setIsDark(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  const choose = (chosen: Theme): void => {
    document.documentElement.dataset['theme'] = chosen;
    setTheme(chosen);
  };
  return { theme, setTheme: choose, version: `${theme} ${isDark}` };
}

const DARK = '(prefers-color-scheme: dark)';

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
      </select>
    </label>
  );
}
