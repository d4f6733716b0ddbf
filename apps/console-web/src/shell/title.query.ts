import { useEffect } from 'react';

/** Names the page in tabs, histories and screen readers, the narrowest first; parts that are not known yet are left out. */
export function useTitle(...parts: readonly (string | undefined)[]): void {
  const title = [...parts, 'Outcomes'].filter(Boolean).join(' - ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
