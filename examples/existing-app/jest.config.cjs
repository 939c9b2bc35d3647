module.exports = { testEnvironment: "node", testMatch: ["<rootDir>/test/jest/**/*.test.cjs"], transform: {} };
