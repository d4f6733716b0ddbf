import { resolve } from 'node:path';

/**
 * Folder with the field experiment of Cascino and others (doi 10.2308/TAR-2019-1030) as outcome events. It is
 * not part of the project; the suite that needs it says so where it is missing.
 */
export const referenceDataFolder = resolve(
  process.env.REFERENCE_DATA_FOLDER ?? resolve(__dirname, '../../../../shared/data/use_fai'),
);

export const runsInCi = process.env.CI === 'true';
