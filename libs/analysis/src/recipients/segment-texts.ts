import {
  dimensionOf,
  type DimensionName,
  type Position,
  type RecipientAnalysis,
  type SegmentDocument,
} from '@outcomes/contracts';
import type { Preference, PreferenceSegment } from '@outcomes/statistics';
import { escapeHtml, positionText } from '../documents/phrasing';
import { rounded } from '../documents/rounding';
import { dimensionLabel, levelLabel, patternOfLevel } from '../patterns/level-label';
import type { RecipientSegments } from './recipient-segments';
import type { RecipientReadings } from './responder.repository';

export type DescribedSegment = RecipientAnalysis['segments'][number];

/** Segments as the recipient analysis shows them, largest first; the index is a profile's cluster. */
export function describedSegments(
  { attribute, segments }: RecipientSegments,
  { byIndustry, responders }: RecipientReadings,
): DescribedSegment[] {
  if (attribute === null) return [];
  return segments.map((segment, index) => {
    const members =
      attribute === 'industry'
        ? byIndustry.filter(({ industry }) => segment.groups.includes(industry))
        : responders.filter(({ position }) => segment.groups.includes(position));
    return {
      id: `segment-${index}`,
      name: nameOf(attribute, segment.groups),
      size: segment.people,
      dominant_position: dominantPosition(members, segment.people),
      key_insights: segment.preferences.map((preference) => preferenceText(preference)),
      optimal_patterns: Object.fromEntries(
        segment.preferences.filter(({ logOddsRatio }) => logOddsRatio > 0).map(optimalPattern),
      ),
      confidence_level: segment.confidence,
      stability: rounded(segment.stability),
    };
  });
}

/** Who belongs to which segment, for profiles and single contacts. */
export function segmentDocument(
  { attribute, segments, differences }: RecipientSegments,
  described: readonly DescribedSegment[],
): SegmentDocument {
  return {
    attribute,
    segments: described.map(({ id, name, size, confidence_level }, index) => ({
      id,
      name,
      size,
      confidence_level,
      values: (segments[index] as PreferenceSegment).groups,
      statistical_tests: Object.fromEntries(
        differences
          .filter((difference) => difference.attribute === attribute)
          .map(({ test }) => [
            test.dimension,
            {
              // An F statistic: campaigns that differ among themselves count for as much less.
              test: 'score test of equal preferences, campaigns as units',
              statistic: rounded(test.statistic / (test.degrees * test.dispersion.factor)),
              degrees_of_freedom: test.degrees,
              residual_degrees_of_freedom: rounded(test.degrees * test.dispersion.units),
              p_value: rounded(test.pValue),
            },
          ]),
      ),
    })),
  };
}

/** Control, format, surrogate and line-separating characters: industries are text of callers. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

function nameOf(attribute: 'industry' | 'position', groups: readonly string[]): string {
  const names = groups.map((group) =>
    attribute === 'position' ? positionText(group) : escapeHtml(group.replace(INVISIBLE, '')),
  );
  return `${attribute === 'position' ? 'Position' : 'Industry'}: ${names.join(', ')}`;
}

/** The position of more than half of the members; "unknown" when mixed. */
function dominantPosition(
  members: readonly { readonly position: Position; readonly people: number }[],
  total: number,
): string {
  const people = new Map<Position, number>();
  for (const member of members)
    people.set(member.position, (people.get(member.position) ?? 0) + member.people);
  return [...people].find(([, count]) => count * 2 > total)?.[0] ?? 'unknown';
}

function preferenceText({ dimension, level, logOddsRatio }: Preference): string {
  const name = dimension as DimensionName;
  const label = levelLabel(name, dimensionOf(name).levels[level] as string);
  const odds = Math.exp(logOddsRatio).toFixed(1);
  return `${dimensionLabel(name)}: more likely than other recipients to answer "${label}" (odds ratio ${odds}).`;
}

function optimalPattern({ dimension, level, logOddsRatio, z }: Preference): [string, unknown] {
  const name = dimension as DimensionName;
  const levelName = dimensionOf(name).levels[level] as string;
  return [
    dimension,
    {
      level: levelName,
      label: levelLabel(name, levelName),
      code: patternOfLevel(name, levelName)?.code ?? null,
      // Against what all recipients have in common, shrunk: how this segment differs, not how well the level does.
      odds_ratio: rounded(Math.exp(logOddsRatio)),
      z: rounded(z),
    },
  ];
}
