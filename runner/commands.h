/* The commands of ./course; argv[0] is the command's own name. Each returns the exit status. */
#ifndef COMMANDS_H
#define COMMANDS_H

int commandList(int argc, char **argv);
int commandNext(int argc, char **argv);
int commandWatch(int argc, char **argv);
int commandCheck(int argc, char **argv);
int commandBench(int argc, char **argv);
int commandDiff(int argc, char **argv);
int commandDevice(int argc, char **argv);
int commandHandout(int argc, char **argv);
int commandInstall(int argc, char **argv);
int commandRelease(int argc, char **argv);
int commandReport(int argc, char **argv);
int commandRollup(int argc, char **argv);
int commandBuild(int argc, char **argv);
int commandTest(int argc, char **argv);
int commandNew(int argc, char **argv);
int commandPair(int argc, char **argv);
int commandTables(int argc, char **argv);
int commandTargets(int argc, char **argv);
int commandBook(int argc, char **argv);
int commandSlides(int argc, char **argv);
int commandRecorded(int argc, char **argv);
int commandPicture(int argc, char **argv);
int commandForecasts(int argc, char **argv);
int commandRead(int argc, char **argv);
int commandHint(int argc, char **argv);
int commandAnswer(int argc, char **argv);
int commandReset(int argc, char **argv);
int commandCc(int argc, char **argv);
/* ./course without a command. */
int commandOverview(void);

#endif
