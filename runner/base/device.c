/* device: the facts of every device, its costs, and whether this machine is fit for the course. */
#include "build.h"
#include "commands.h"
#include "devices.h"
#include "doctor.h"
#include "files.h"
#include "process.h"
#include "request.h"
#include "text.h"
#include "tool.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A field of nvidia-smi that it could not fill. */
static int isUnknown(const char *value)
{
    return value == NULL || value[0] == '\0' || strstr(value, "N/A") != NULL ||
           strstr(value, "not ") != NULL || strstr(value, "Not ") != NULL || value[0] == '[';
}

/* Adds the bus of the device at a PCI address: its generation and width, which drop while nothing
 * is copied. */
static void addBus(struct text *facts, const char *address)
{
    char *argv[] = {"nvidia-smi",
                    "--query-gpu=pcie.link.gen.max,pcie.link.width.max,pcie.link.gen.current,"
                    "pcie.link.width.current",
                    "--format=csv,noheader",
                    "-i",
                    (char *)address,
                    NULL};
    char *said = toolSays(argv), *field[4] = {NULL}, *rest = said;

    for (int i = 0; said != NULL && i < 4 && rest != NULL; i++) {
        field[i] = strsep(&rest, ",\n");
        field[i] += strspn(field[i], " ");
    }
    if (!isUnknown(field[0]) && !isUnknown(field[1]))
        appendFormat(facts, "  %-36sgeneration %s, %s lanes\n", "PCIe:", field[0], field[1]);
    if (!isUnknown(field[2]) && !isUnknown(field[3]))
        appendFormat(facts, "  %-36sgeneration %s, %s lanes\n", "PCIe now:", field[2], field[3]);
}

/* Adds the NVLinks of the device at a PCI address: how many there are, and the rate of one. */
static void addLinks(struct text *facts, const char *address)
{
    char *argv[] = {"nvidia-smi", "nvlink", "-s", "-i", (char *)address, NULL};
    char *said = toolSays(argv);
    double rate = 0.0, latest;
    int links = 0, number;

    for (char *line = said != NULL ? strtok(said, "\n") : NULL; line != NULL;
         line = strtok(NULL, "\n"))
        if (sscanf(line, " Link %d: %lf GB/s", &number, &latest) == 2) {
            links++;
            rate = latest;
        }
    if (links > 0)
        appendFormat(facts, "  %-36s%d links of %.4g GB/s each way\n", "NVLink:", links, rate);
}

/* The output of device_info, with what nvidia-smi adds for each GPU. NULL if it failed, after a
 * message. */
static char *factsOf(const char *device)
{
    char *argv[] = {programPath(device, "device", "info"), NULL};
    struct text facts = {0};
    int status;
    char *said = toolSaysAnyway(argv, &status), *rest = said, *line;

    appendText(&facts, "");
    while (rest != NULL && (line = strsep(&rest, "\n")) != NULL) {
        const char *address = strstr(line, "PCI bus:");

        if (line[0] != '\0')
            appendFormat(&facts, "%s\n", line);
        if (address == NULL || !isSame(device, "gpu"))
            continue;
        address += strlen("PCI bus:");
        address += strspn(address, " ");
        addBus(&facts, address);
        addLinks(&facts, address);
    }
    if (status == EXIT_PASS)
        return facts.data;
    fprintf(stderr, "course: device_info failed: %s", facts.data);
    return NULL;
}

void factsWrite(const char *device, const char *folder)
{
    const char *facts = factsOf(device);

    if (facts != NULL)
        replaceFile(formatString("%s/device.txt", folder), facts);
}

static int printFacts(const char *wanted)
{
    const char *device = deviceToUse(wanted), *facts;

    if (isSame(device, "emulated") && isSame(wanted, "auto"))
        printf(hasGpu() ? "There is a GPU, but no nvcc to build for it: ./course device --doctor\n"
                        : "No GPU in this machine.\n");
    fflush(stdout);
    if (buildShared(formatString("device_info_%s", device)) != 0 ||
        (facts = factsOf(device)) == NULL)
        return EXIT_ERROR;
    printf("%s./course check and bench use: %s\n", facts, deviceToUse("auto"));
    return EXIT_PASS;
}

/* device --measure: options that are unknown here go to the program. */
static int measureCosts(int argc, char **argv, const char *wanted)
{
    const char *device = deviceToUse(wanted);
    struct run run = {.job.patience = 120.0};

    if (isSame(device, "emulated") && isSame(wanted, "auto"))
        fail(EXIT_SKIPPED, "SKIPPED: no GPU in this machine that could be timed; --device=emulated "
                           "runs the same without times");
    if (buildShared(formatString("device_costs_%s", device)) != 0)
        return EXIT_ERROR;
    runWord(&run, programPath(device, "device", "costs"));
    for (int i = 1; i < argc; i++)
        runWord(&run, argv[i]);
    runWhole(&run);
    runExplain(&run);
    return run.code;
}

int commandDevice(int argc, char **argv)
{
    const char *wanted = "auto";
    int measures = 0, examines = 0;
    const struct known_option known[] = {{"--measure", .flag = &measures},
                                         {"--doctor", .flag = &examines},
                                         {"--device", .value = &wanted},
                                         {0}};

    argc = takeOptions(known, argc, argv);
    if (measures + examines > 1)
        fail(EXIT_USAGE, "device: --measure or --doctor, one at a time");
    if (argc > 1 && !measures)
        notUnderstood("device", argv[1]);
    if (measures && isdigit((unsigned char)wanted[0])) { /* one of several GPUs */
        argv[argc++] = formatString("--device=%s", wanted);
        wanted = "auto";
    }
    return examines ? doctor() : measures ? measureCosts(argc, argv, wanted) : printFacts(wanted);
}
