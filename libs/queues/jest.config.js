module.exports = { ...require('../../jest.preset'), displayName: 'queues', rootDir: __dirname };
