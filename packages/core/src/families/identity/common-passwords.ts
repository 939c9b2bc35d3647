/**
 * Passwords that every guessing list starts with, folded. A floor, not a wall: with the default least length of 15 only
 * long favourites matter, and hosts that lower it get the short ones too.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `123456 password 12345678 qwerty 123456789 12345 1234567 111111 1234567890 123123 abc123 1234 password1 iloveyou 000000
  qwerty123 1q2w3e4r admin qwertyuiop 654321 555555 lovely 7777777 welcome 888888 princess dragon password123 123qwe sunshine
  666666 football monkey 121212 letmein 1qaz2wsx zaq12wsx baseball master superman michael shadow trustno1 starwars whatever
  passw0rd p@ssw0rd p@ssword password! password1! password12 welcome1 welcome123 admin123 administrator changeme changeme123
  letmein123 qwerty12345 qwerty123456 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc zaq1zaq1 q1w2e3r4 q1w2e3r4t5 asdfghjkl asdfghjkl123
  zxcvbnm zxcvbnm123 qazwsxedc qazwsxedcrfv 123456789a 123456789q a123456789 1234567890q 0987654321 9876543210 11111111 00000000
  123456789012345 1234567890123456 12345678901234567890 111111111111111 000000000000000 qwertyuiopasdfg qwertyuiopasdfgh
  qwertyuiopasdfghjkl qwertyuiopasdfghjklzxcvbnm 1qaz2wsx3edc4rfv 1q2w3e4r5t6y7u8i 1234567890qwertyuiop qwertyuiop123456
  qwertyuiop1234567890 abcdefghijklmno abcdefghijklmnop abcdefghijklmnopqrstuvwxyz passwordpassword password123456
  password12345678 password123456789 password1234567890 passwordpassword1 adminadminadmin administrator123 administrator1234
  letmeinletmein1 letmeinletmeinletmein welcomewelcome1 welcome123456789 changemechangeme thisisapassword thisismypassword
  thisisapassword1 mypasswordis123 correcthorsebatterystaple iloveyouiloveyou iloveyou1234567 ihavenopassword idontknow123456
  asdfghjklasdfghjkl asdfasdfasdfasdf zxcvbnmzxcvbnm1 1111111111111111 1231231231231231 superman12345678 football12345678
  princess12345678 sunshine12345678 trustno1trustno1 letmein123456789 monkeymonkeymonkey dragondragondragon qweasdzxcqweasdzxc`
    .split(/\s+/)
    .filter(Boolean),
);
