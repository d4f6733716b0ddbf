/** The address of this page as the sign-in may lead back to it. What follows a # may be a secret, and stays. */
export const pathHere = () => `${location.pathname}${location.search}`;

/**
 * Where to go after a sign-in: the path that was asked for if it is one of this console, else the start. Whoever
 * writes a link to the sign-in chooses it, and must not lead people who have just signed in to a page of his own.
 */
export function returnPath(asked: string | undefined): string {
  if (asked === undefined || !isPath(asked) || !URL.canParse(asked, location.origin)) return '/';
  const { origin, pathname, search } = new URL(asked, location.origin);
  // Looked at again as browsers read it: they leave out tabs, and what dots take back.
  const isOwn = origin === location.origin && isPath(pathname) && pathname !== '/sign-in';
  return isOwn ? `${pathname}${search}` : '/';
}

/** One slash, and not the two that stand before a host; browsers take a backslash for a slash. */
const isPath = (text: string) => /^\/(?![/\\])/.test(text);
