/** Of everything in this repository; package.json and the chart say the same. */
export const VERSION = '1.0.0';
