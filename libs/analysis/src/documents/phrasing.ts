const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that may stand inside title and message: markup characters become entities. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

/** 1234567 -> "1,234,567" */
export function countText(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** (1, "text") -> "1 text", (1200, "text") -> "1,200 texts" */
export function countedText(count: number, noun: string): string {
  return `${countText(count)} ${noun}${Math.round(count) === 1 ? '' : 's'}`;
}

/** In two digits, for what is expected and not counted: 4567 -> "4,600" */
export function roughCountText(count: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) - 1);
  return countText(Math.round(count / unit) * unit);
}

/** A fraction in per cent, with a decimal where it is below ten: 0.0337 -> "3.4%", 0.25 -> "25%". */
export function percentText(fraction: number): string {
  const percent = fraction * 100;
  return `${Math.abs(percent) < 9.95 ? percent.toFixed(1) : percent.toFixed(0)}%`;
}

/** `early_follow_up` -> "early follow up" */
export function levelText(level: string): string {
  return level.replaceAll('_', ' ');
}

/** `c_suite` -> "C-suite", `individual_contributor` -> "individual contributor" */
export function positionText(position: string): string {
  return { c_suite: 'C-suite', vp: 'VP' }[position] ?? levelText(position);
}
